/* STM32L4 and L4+: the PLL from MSI at 4 MHz, 80 MHz at most, 120 MHz on L4+; else MSI.
   RM0351 and RM0432, sections RCC (RCC_CR, RCC_CFGR, RCC_PLLCFGR), PWR (PWR_CR2, PWR_CR5, "Dynamic
   voltage scaling management") and "Embedded Flash memory": FLASH_ACR. */
#include "board.h"
#include "registers.h"

#define RCC_CR 0x40021000u
#define RCC_CFGR 0x40021008u
#define RCC_PLLCFGR REGISTER(0x4002100cu)
#define RCC_APB1ENR1 REGISTER(0x40021058u)
#define PWR_CR2 REGISTER(0x40007004u)
#define PWR_CR5 REGISTER(0x40007080u)
#define FLASH_ACR 0x40022000u

#define MSI_HZ 4000000u
#define CR_PLLON (1u << 24)
#define CR_PLLRDY (1u << 25)
#define CFGR_SW_PLL 3u
#define CFGR_SWS (3u << 2)
#define CFGR_SWS_PLL (3u << 2)
#define CFGR_HPRE_HALF (8u << 4)
#define PLLCFGR_MSI 1u
#define PLLCFGR_REN (1u << 24)
#define APB1ENR1_PWREN (1u << 28)
#define CR2_IOSV (1u << 9)
#define CR5_R1MODE (1u << 8)
#define ACR_LATENCY 15u
/* Caches and prefetch. */
#define ACR_FAST ((1u << 10) | (1u << 9) | (1u << 8))
/* In range 1 a wait state for every 16 MHz begun, in its boost mode for every 20 MHz. */
#define WITHOUT_BOOST_HZ 80000000u
#define BOOST (BOARD_CLOCK_HZ > WITHOUT_BOOST_HZ)
#define WAIT_STATES ((BOARD_CLOCK_HZ - 1u) / (BOOST ? 20000000u : 16000000u))

struct clocks clock_init(void) {
  struct clocks clocks = {MSI_HZ, MSI_HZ};
  RCC_APB1ENR1 |= APB1ENR1_PWREN;
  (void)RCC_APB1ENR1; /* some cycles until PWR answers */
  /* Port G, where some boards have their console, is dead until its supply is declared valid. */
  PWR_CR2 |= CR2_IOSV;
  if (BOOST) {
    PWR_CR5 &= ~CR5_R1MODE;
  }
  RCC_PLLCFGR = PLLCFGR_MSI | ((2u * (BOARD_CLOCK_HZ / MSI_HZ)) << 8) | PLLCFGR_REN;
  REGISTER(RCC_CR) |= CR_PLLON;
  if (!register_becomes(RCC_CR, CR_PLLRDY, CR_PLLRDY)) {
    return clocks;
  }
  REGISTER(FLASH_ACR) = ACR_FAST | WAIT_STATES;
  if (!register_becomes(FLASH_ACR, ACR_LATENCY, WAIT_STATES)) {
    return clocks;
  }
  /* Half the speed for a microsecond, as the boost mode wants it. */
  REGISTER(RCC_CFGR) = CFGR_HPRE_HALF | CFGR_SW_PLL;
  if (!register_becomes(RCC_CFGR, CFGR_SWS, CFGR_SWS_PLL)) {
    REGISTER(RCC_CFGR) = 0;
    return clocks;
  }
  for (volatile uint32_t i = 0; i < BOARD_CLOCK_HZ / 1000000u; ++i) {
  }
  REGISTER(RCC_CFGR) = CFGR_SW_PLL;
  clocks.core_hz = BOARD_CLOCK_HZ;
  clocks.console_hz = BOARD_CLOCK_HZ;
  return clocks;
}
