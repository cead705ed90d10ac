/* nRF5340, application core: 128 MHz from the crystal, else from the internal oscillator.
   nRF5340 Product Specification, CLOCK (HFCLKCTRL, TASKS_HFCLKSTART) and CACHE (ENABLE). */
#include "board.h"
#include "registers.h"

#define TASKS_HFCLKSTART REGISTER(0x50005000u)
#define EVENTS_HFCLKSTARTED 0x50005100u
/* 0 divides by one, which is twice the speed after reset. */
#define HFCLKCTRL REGISTER(0x50005558u)
#define CACHE_ENABLE REGISTER(0x50001500u)

struct clocks clock_init(void) {
  const struct clocks clocks = {BOARD_CLOCK_HZ, BOARD_CLOCK_HZ};
  CACHE_ENABLE = 1;
  HFCLKCTRL = 0;
  TASKS_HFCLKSTART = 1;
  (void)register_becomes(EVENTS_HFCLKSTARTED, 1u, 1u);
  return clocks;
}
