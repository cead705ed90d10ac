/* STM32F100 value line: HSE by the PLL, 24 MHz at most, else HSI at 8 MHz.
   RM0041, section RCC: RCC_CR, RCC_CFGR. Up to 24 MHz flash needs no wait states. */
#include "board.h"
#include "registers.h"

#define RCC_CR 0x40021000u
#define RCC_CFGR 0x40021004u
#define CR_HSEON (1u << 16)
#define CR_HSERDY (1u << 17)
#define CR_PLLON (1u << 24)
#define CR_PLLRDY (1u << 25)
#define CFGR_SW 3u
#define CFGR_SW_PLL 2u
#define CFGR_SWS (3u << 2)
#define CFGR_SWS_PLL (2u << 2)
#define CFGR_PLLSRC_HSE (1u << 16)
/* PLLMUL 0 multiplies by 2. */
#define CFGR_PLLMUL ((BOARD_CLOCK_HZ / BOARD_CLOCK_SOURCE_HZ - 2u) << 18)
#define HSI_HZ 8000000u

struct clocks clock_init(void) {
  struct clocks clocks = {HSI_HZ, HSI_HZ};
  REGISTER(RCC_CR) |= CR_HSEON;
  if (!register_becomes(RCC_CR, CR_HSERDY, CR_HSERDY)) {
    return clocks;
  }
  REGISTER(RCC_CFGR) = CFGR_PLLSRC_HSE | CFGR_PLLMUL;
  REGISTER(RCC_CR) |= CR_PLLON;
  if (!register_becomes(RCC_CR, CR_PLLRDY, CR_PLLRDY)) {
    return clocks;
  }
  register_set(RCC_CFGR, CFGR_SW, CFGR_SW_PLL);
  if (register_becomes(RCC_CFGR, CFGR_SWS, CFGR_SWS_PLL)) {
    /* The buses are undivided. */
    clocks.core_hz = BOARD_CLOCK_HZ;
    clocks.console_hz = BOARD_CLOCK_HZ;
  } else {
    register_set(RCC_CFGR, CFGR_SW, 0u);
  }
  return clocks;
}
