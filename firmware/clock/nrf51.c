/* nRF51: 16 MHz in any case; the crystal makes the baud rate accurate.
   nRF51 Series Reference Manual 3.0, chapter 13 CLOCK. */
#include "board.h"
#include "registers.h"

#define TASKS_HFCLKSTART REGISTER(0x40000000u)
#define EVENTS_HFCLKSTARTED 0x40000100u

struct clocks clock_init(void) {
  const struct clocks clocks = {BOARD_CLOCK_HZ, BOARD_CLOCK_HZ};
  TASKS_HFCLKSTART = 1;
  (void)register_becomes(EVENTS_HFCLKSTARTED, 1u, 1u);
  return clocks;
}
