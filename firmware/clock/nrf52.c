/* nRF52: 64 MHz in any case; the crystal makes the baud rate accurate. Switches on the cache.
   nRF52840 Product Specification, CLOCK (TASKS_HFCLKSTART) and NVMC (ICACHECNF). */
#include "board.h"
#include "registers.h"

#define TASKS_HFCLKSTART REGISTER(0x40000000u)
#define EVENTS_HFCLKSTARTED 0x40000100u
#define NVMC_ICACHECNF REGISTER(0x4001e540u)

struct clocks clock_init(void) {
  const struct clocks clocks = {BOARD_CLOCK_HZ, BOARD_CLOCK_HZ};
  NVMC_ICACHECNF = 1;
  TASKS_HFCLKSTART = 1;
  (void)register_becomes(EVENTS_HFCLKSTARTED, 1u, 1u);
  return clocks;
}
