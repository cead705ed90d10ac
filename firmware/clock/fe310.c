/* FE310: up to 320 MHz by the PLL from a 16 MHz crystal, else the crystal alone or the ring
   oscillator that runs after reset. FE310-G002 manual, chapter 6 "Clock generation (PRCI)". */
#include "board.h"
#include "registers.h"

#define HFROSCCFG REGISTER(0x10008000u)
#define HFXOSCCFG 0x10008004u
#define PLLCFG 0x10008008u
#define PLLOUTDIV REGISTER(0x1000800cu)

#define ROSC_HZ 13800000u
#define HFXOSC_READY (1u << 31)
#define HFXOSC_ENABLE (1u << 30)
#define PLL_LOCK (1u << 31)
#define PLL_BYPASS (1u << 18)
#define PLL_REFSEL (1u << 17)
#define PLL_SEL (1u << 16)
#define OUTDIV_ONE (1u << 8)
/* R halves the crystal's 16 MHz, Q halves the VCO, and F holds half of its factor less one. */
#define PLL_INPUT_HZ (BOARD_CLOCK_SOURCE_HZ / 2u)
#define PLL_FACTORS ((1u << 10) | ((BOARD_CLOCK_HZ / PLL_INPUT_HZ - 1u) << 4) | 1u)

struct clocks clock_init(void) {
  struct clocks clocks = {ROSC_HZ, ROSC_HZ};
  REGISTER(HFXOSCCFG) = HFXOSC_ENABLE;
  if (!register_becomes(HFXOSCCFG, HFXOSC_READY, HFXOSC_READY)) {
    return clocks;
  }
  PLLOUTDIV = OUTDIV_ONE;
  /* The PLL passes the crystal on while its factors change. */
  REGISTER(PLLCFG) = PLL_BYPASS | PLL_REFSEL | PLL_FACTORS;
  REGISTER(PLLCFG) |= PLL_SEL;
  clocks.core_hz = BOARD_CLOCK_SOURCE_HZ;
  clocks.console_hz = BOARD_CLOCK_SOURCE_HZ;
  REGISTER(PLLCFG) &= ~(PLL_SEL | PLL_BYPASS);
  /* The lock may be told too soon in the first 100 us, which are 1600 cycles of the crystal. */
  for (volatile uint32_t i = 0; i < BOARD_CLOCK_SOURCE_HZ / 10000u; ++i) {
  }
  if (register_becomes(PLLCFG, PLL_LOCK, PLL_LOCK)) {
    REGISTER(PLLCFG) |= PLL_SEL;
    clocks.core_hz = BOARD_CLOCK_HZ;
    clocks.console_hz = BOARD_CLOCK_HZ;
  } else {
    REGISTER(PLLCFG) |= PLL_BYPASS;
    REGISTER(PLLCFG) |= PLL_SEL;
  }
  return clocks;
}
