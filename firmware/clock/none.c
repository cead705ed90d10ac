/* A core that runs at its speed out of reset. */
#include "board.h"

struct clocks clock_init(void) {
  const struct clocks clocks = {BOARD_CLOCK_HZ, BOARD_CONSOLE_HZ};
  return clocks;
}
