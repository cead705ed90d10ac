/* RP2350: 150 MHz from a 12 MHz crystal by the system PLL, VCO at 1500 MHz.
   RP2350 datasheet 7.5 "Subsystem resets", 8.1.6, 8.2.8 and 8.6.5, lists of registers. */
#include "rp2_pll.h"

struct clocks clock_init(void) {
  static const struct rp2_clocks at = {
      .resets = 0x40020000u,
      .reset_pll_sys = 1u << 14,
      .clocks_ref = 0x40010030u,
      .clocks_sys = 0x4001003cu,
      .clocks_peri = 0x40010048u,
      .xosc = 0x40048000u,
      .pll_sys = 0x40050000u,
  };
  return rp2_start(&at, 5u, 2u);
}
