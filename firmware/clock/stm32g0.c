/* STM32G0: 64 MHz at most by the PLL from HSI at 16 MHz, else HSI.
   RM0444, sections RCC (RCC_CR, RCC_CFGR, RCC_PLLCFGR) and FLASH: FLASH_ACR. */
#include "board.h"
#include "registers.h"

#define RCC_CR 0x40021000u
#define RCC_CFGR 0x40021008u
#define RCC_PLLCFGR REGISTER(0x4002100cu)
#define FLASH_ACR 0x40022000u

#define HSI_HZ 16000000u
#define CR_PLLON (1u << 24)
#define CR_PLLRDY (1u << 25)
#define CFGR_SW_PLL 2u
#define CFGR_SWS (7u << 3)
#define CFGR_SWS_PLL (2u << 3)
#define PLLCFGR_HSI 2u
#define PLLCFGR_REN (1u << 28)
/* PLLR 1 divides by 2. */
#define PLLCFGR_R_HALF (1u << 29)
#define ACR_LATENCY 7u
/* Cache and prefetch, and the 2 wait states of 48 to 64 MHz. */
#define ACR_FAST ((1u << 9) | (1u << 8) | 2u)

struct clocks clock_init(void) {
  struct clocks clocks = {HSI_HZ, HSI_HZ};
  RCC_PLLCFGR =
      PLLCFGR_HSI | ((2u * (BOARD_CLOCK_HZ / HSI_HZ)) << 8) | PLLCFGR_REN | PLLCFGR_R_HALF;
  REGISTER(RCC_CR) |= CR_PLLON;
  if (!register_becomes(RCC_CR, CR_PLLRDY, CR_PLLRDY)) {
    return clocks;
  }
  /* The other bits stay: among them the one that lets a debugger in. */
  register_set(FLASH_ACR, ACR_LATENCY, ACR_FAST);
  if (!register_becomes(FLASH_ACR, ACR_LATENCY, ACR_FAST & ACR_LATENCY)) {
    return clocks;
  }
  REGISTER(RCC_CFGR) = CFGR_SW_PLL;
  if (register_becomes(RCC_CFGR, CFGR_SWS, CFGR_SWS_PLL)) {
    clocks.core_hz = BOARD_CLOCK_HZ;
    clocks.console_hz = BOARD_CLOCK_HZ;
  } else {
    REGISTER(RCC_CFGR) = 0;
  }
  return clocks;
}
