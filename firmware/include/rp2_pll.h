/* The crystal, the system PLL and the clock multiplexers of RP2040 and RP2350, which differ in
   their addresses. RP2040 datasheet 2.15 "Clocks", 2.16 "Crystal Oscillator", 2.18 "PLL"; RP2350
   datasheet 8.1, 8.2, 8.6. */
#ifndef RP2_PLL_H
#define RP2_PLL_H

#include <stdint.h>

#include "board.h"
#include "registers.h"

struct rp2_clocks {
  uint32_t resets;
  uint32_t reset_pll_sys;
  uint32_t clocks_ref;
  uint32_t clocks_sys;
  uint32_t clocks_peri;
  uint32_t xosc;
  uint32_t pll_sys;
};

/* The ring oscillator that runs after reset, as the datasheets bound it: 12 MHz at most. */
#define ROSC_HZ 6500000u
#define XOSC_RANGE_1_15MHZ 0xaa0u
#define XOSC_ENABLE (0xfabu << 12)
#define XOSC_STABLE (1u << 31)
#define PLL_LOCK (1u << 31)
#define PLL_POWER_DOWN (1u << 0)
#define PLL_POSTDIV_DOWN (1u << 3)
#define PLL_VCO_DOWN (1u << 5)
#define CLK_REF_XOSC 2u
#define CLK_SYS_AUX 1u
#define CLK_ENABLE (1u << 11)

/* Crystal, PLL with a VCO at the core clock times both post dividers, system clock from it. */
static inline struct clocks rp2_start(const struct rp2_clocks *at, uint32_t post1,
                                      uint32_t post2) {
  struct clocks clocks = {ROSC_HZ, ROSC_HZ};
  /* Off while its source changes; clk_sys is its source after that (AUXSRC 0). */
  REGISTER(at->clocks_peri) = 0;
  REGISTER(at->clocks_peri) = CLK_ENABLE;
  REGISTER(at->xosc) = XOSC_RANGE_1_15MHZ;
  REGISTER(at->xosc + 0x0cu) = BOARD_CLOCK_SOURCE_HZ / 1000u / 256u + 1u;
  REGISTER(at->xosc) = XOSC_RANGE_1_15MHZ | XOSC_ENABLE;
  if (!register_becomes(at->xosc + 0x04u, XOSC_STABLE, XOSC_STABLE)) {
    return clocks;
  }
  register_set(at->clocks_ref, 3u, CLK_REF_XOSC);
  if (!register_becomes(at->clocks_ref + 0x08u, 1u << CLK_REF_XOSC, 1u << CLK_REF_XOSC)) {
    return clocks;
  }
  clocks.core_hz = BOARD_CLOCK_SOURCE_HZ;
  clocks.console_hz = BOARD_CLOCK_SOURCE_HZ;
  REGISTER(at->resets) |= at->reset_pll_sys;
  REGISTER(at->resets) &= ~at->reset_pll_sys;
  if (!register_becomes(at->resets + 0x08u, at->reset_pll_sys, at->reset_pll_sys)) {
    return clocks;
  }
  REGISTER(at->pll_sys) = 1;
  REGISTER(at->pll_sys + 0x08u) = BOARD_CLOCK_HZ * post1 * post2 / BOARD_CLOCK_SOURCE_HZ;
  REGISTER(at->pll_sys + 0x04u) &= ~(PLL_POWER_DOWN | PLL_VCO_DOWN);
  if (!register_becomes(at->pll_sys, PLL_LOCK, PLL_LOCK)) {
    return clocks;
  }
  REGISTER(at->pll_sys + 0x0cu) = (post1 << 16) | (post2 << 12);
  REGISTER(at->pll_sys + 0x04u) &= ~PLL_POSTDIV_DOWN;
  /* AUXSRC 0 of clk_sys is the system PLL. */
  REGISTER(at->clocks_sys) = 0;
  REGISTER(at->clocks_sys) = CLK_SYS_AUX;
  if (register_becomes(at->clocks_sys + 0x08u, 1u << CLK_SYS_AUX, 1u << CLK_SYS_AUX)) {
    clocks.core_hz = BOARD_CLOCK_HZ;
    clocks.console_hz = BOARD_CLOCK_HZ;
  }
  return clocks;
}

#endif /* RP2_PLL_H */
