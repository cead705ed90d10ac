/* STM32U5: 160 MHz at most by the PLL from MSIS at 4 MHz, else MSIS. Switches on the cache.
   RM0456, sections RCC (RCC_CR, RCC_CFGR1, RCC_PLL1CFGR, RCC_PLL1DIVR, RCC_AHB3ENR), PWR
   (PWR_VOSR, "Dynamic voltage scaling management"), FLASH (FLASH_ACR) and ICACHE (ICACHE_CR). */
#include "board.h"
#include "registers.h"

#define RCC_CR 0x46020c00u
#define RCC_CFGR1 0x46020c1cu
#define RCC_PLL1CFGR REGISTER(0x46020c28u)
#define RCC_PLL1DIVR REGISTER(0x46020c34u)
#define RCC_AHB3ENR REGISTER(0x46020c94u)
#define PWR_VOSR 0x4602080cu
#define FLASH_ACR 0x40022000u
#define ICACHE_CR REGISTER(0x40030400u)

#define MSIS_HZ 4000000u
#define AHB3ENR_PWREN (1u << 2)
#define VOSR_RANGE1 (3u << 16)
#define VOSR_VOSRDY (1u << 15)
#define VOSR_BOOSTEN (1u << 18)
#define VOSR_BOOSTRDY (1u << 14)
#define CR_PLL1ON (1u << 24)
#define CR_PLL1RDY (1u << 25)
#define PLL1CFGR_MSIS 1u
#define PLL1CFGR_REN (1u << 18)
#define CFGR1_SW_PLL1 3u
#define CFGR1_SWS (3u << 2)
#define CFGR1_SWS_PLL1 (3u << 2)
#define ACR_LATENCY 15u
/* Prefetch, and the 4 wait states of 128 to 160 MHz in range 1. */
#define ACR_FAST ((1u << 8) | 4u)

/* Voltage range 1 with the booster, which takes its clock from the source of the PLL. */
static int raise_voltage(void) {
  RCC_AHB3ENR |= AHB3ENR_PWREN;
  (void)RCC_AHB3ENR; /* some cycles until PWR answers */
  REGISTER(PWR_VOSR) = VOSR_RANGE1;
  if (!register_becomes(PWR_VOSR, VOSR_VOSRDY, VOSR_VOSRDY)) {
    return 0;
  }
  RCC_PLL1CFGR = PLL1CFGR_MSIS | PLL1CFGR_REN;
  REGISTER(PWR_VOSR) = VOSR_RANGE1 | VOSR_BOOSTEN;
  return register_becomes(PWR_VOSR, VOSR_BOOSTRDY, VOSR_BOOSTRDY);
}

struct clocks clock_init(void) {
  struct clocks clocks = {MSIS_HZ, MSIS_HZ};
  ICACHE_CR |= 1u;
  if (!raise_voltage()) {
    return clocks;
  }
  /* R divides by two; the fields hold one less than their factors. */
  RCC_PLL1DIVR = (2u * (BOARD_CLOCK_HZ / MSIS_HZ) - 1u) | (1u << 24);
  REGISTER(RCC_CR) |= CR_PLL1ON;
  if (!register_becomes(RCC_CR, CR_PLL1RDY, CR_PLL1RDY)) {
    return clocks;
  }
  REGISTER(FLASH_ACR) = ACR_FAST;
  if (!register_becomes(FLASH_ACR, ACR_LATENCY, ACR_FAST & ACR_LATENCY)) {
    return clocks;
  }
  register_set(RCC_CFGR1, 3u, CFGR1_SW_PLL1);
  if (register_becomes(RCC_CFGR1, CFGR1_SWS, CFGR1_SWS_PLL1)) {
    clocks.core_hz = BOARD_CLOCK_HZ;
    clocks.console_hz = BOARD_CLOCK_HZ;
  } else {
    register_set(RCC_CFGR1, 3u, 0u);
  }
  return clocks;
}
