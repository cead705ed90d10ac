/* STM32H743: 400 MHz at most by the PLL from HSE, else HSI at 64 MHz. Switches on the SRAMs of D2.
   RM0433, sections RCC (RCC_CR, RCC_CFGR, RCC_D1CFGR to RCC_D3CFGR, RCC_PLLCKSELR, RCC_PLLCFGR,
   RCC_PLL1DIVR, RCC_AHB2ENR), PWR (PWR_CR3, PWR_D3CR) and "Embedded Flash memory": FLASH_ACR. */
#include "board.h"
#include "registers.h"

#define RCC_CR 0x58024400u
#define RCC_CFGR 0x58024410u
#define RCC_D1CFGR REGISTER(0x58024418u)
#define RCC_D2CFGR REGISTER(0x5802441cu)
#define RCC_D3CFGR REGISTER(0x58024420u)
#define RCC_PLLCKSELR REGISTER(0x58024428u)
#define RCC_PLLCFGR REGISTER(0x5802442cu)
#define RCC_PLL1DIVR REGISTER(0x58024430u)
#define RCC_AHB2ENR REGISTER(0x580244dcu)
#define PWR_CR3 REGISTER(0x5802480cu)
#define PWR_D3CR 0x58024818u
#define FLASH_ACR 0x52002000u

#define HSI_HZ 64000000u
#define CLOCK_SOURCE_BYPASS 2
#define AHB2ENR_SRAMS (7u << 29)
#define CR3_LDOEN (1u << 1)
#define D3CR_VOS1 (3u << 14)
#define D3CR_VOSRDY (1u << 13)
#define CR_HSEON (1u << 16)
#define CR_HSERDY (1u << 17)
#define CR_HSEBYP (1u << 18)
#define CR_PLL1ON (1u << 24)
#define CR_PLL1RDY (1u << 25)
#define CKSELR_HSE 2u
/* 2 MHz in: input range 2 to 4 MHz, wide VCO; the P output alone. */
#define PLL_INPUT_HZ 2000000u
#define PLLCFGR_FAST ((1u << 2) | (1u << 16))
#define PLL_P 2u
#define CFGR_SW_PLL1 3u
#define CFGR_SWS (7u << 3)
#define CFGR_SWS_PLL1 (3u << 3)
/* The buses at half the core's clock, their peripherals at half of that again. */
#define D1CFGR_HALF ((4u << 4) | 8u)
#define D2CFGR_HALF ((4u << 8) | (4u << 4))
#define D3CFGR_HALF (4u << 4)
/* 2 wait states of 140 to 210 MHz on the AXI bus in VOS1, and the programming delay for 285. */
#define ACR_FAST ((2u << 4) | 2u)

static int start_pll(void) {
  REGISTER(RCC_CR) |= CR_HSEON | (BOARD_CLOCK_SOURCE == CLOCK_SOURCE_BYPASS ? CR_HSEBYP : 0u);
  if (!register_becomes(RCC_CR, CR_HSERDY, CR_HSERDY)) {
    return 0;
  }
  RCC_PLLCKSELR = CKSELR_HSE | ((BOARD_CLOCK_SOURCE_HZ / PLL_INPUT_HZ) << 4);
  RCC_PLLCFGR = PLLCFGR_FAST;
  RCC_PLL1DIVR = (PLL_P * (BOARD_CLOCK_HZ / PLL_INPUT_HZ) - 1u) | ((PLL_P - 1u) << 9);
  REGISTER(RCC_CR) |= CR_PLL1ON;
  return register_becomes(RCC_CR, CR_PLL1RDY, CR_PLL1RDY);
}

struct clocks clock_init(void) {
  struct clocks clocks = {HSI_HZ, HSI_HZ};
  RCC_AHB2ENR |= AHB2ENR_SRAMS;
  (void)RCC_AHB2ENR; /* some cycles until they answer */
  /* The supply must be confirmed, once, before the voltage may change. */
  PWR_CR3 = CR3_LDOEN;
  REGISTER(PWR_D3CR) = D3CR_VOS1;
  if (!register_becomes(PWR_D3CR, D3CR_VOSRDY, D3CR_VOSRDY) || !start_pll()) {
    return clocks;
  }
  REGISTER(FLASH_ACR) = ACR_FAST;
  if (!register_becomes(FLASH_ACR, ACR_FAST, ACR_FAST)) {
    return clocks;
  }
  RCC_D1CFGR = D1CFGR_HALF;
  RCC_D2CFGR = D2CFGR_HALF;
  RCC_D3CFGR = D3CFGR_HALF;
  clocks.console_hz = HSI_HZ / 4u;
  REGISTER(RCC_CFGR) = CFGR_SW_PLL1;
  if (register_becomes(RCC_CFGR, CFGR_SWS, CFGR_SWS_PLL1)) {
    clocks.core_hz = BOARD_CLOCK_HZ;
    clocks.console_hz = BOARD_CLOCK_HZ / 4u;
  } else {
    REGISTER(RCC_CFGR) = 0;
  }
  return clocks;
}
