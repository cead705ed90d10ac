/* RP2040: 125 MHz from a 12 MHz crystal by the system PLL, VCO at 1500 MHz.
   RP2040 datasheet 2.14 "Subsystem Resets", 2.15.7 and 2.18.4, lists of registers. */
#include "rp2_pll.h"

struct clocks clock_init(void) {
  static const struct rp2_clocks at = {
      .resets = 0x4000c000u,
      .reset_pll_sys = 1u << 12,
      .clocks_ref = 0x40008030u,
      .clocks_sys = 0x4000803cu,
      .clocks_peri = 0x40008048u,
      .xosc = 0x40024000u,
      .pll_sys = 0x40028000u,
  };
  return rp2_start(&at, 6u, 2u);
}
