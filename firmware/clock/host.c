/* A native program: its counter counts nanoseconds, and nobody knows the core's frequency. */
#include "board.h"

struct clocks clock_init(void) {
  const struct clocks clocks = {BOARD_CLOCK_HZ, BOARD_CONSOLE_HZ};
  return clocks;
}
