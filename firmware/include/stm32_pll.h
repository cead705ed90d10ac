/* The oscillators and the main PLL of STM32F4 and STM32F7, which agree in both.
   RM0090 and RM0385, section RCC: RCC_CR, RCC_PLLCFGR, RCC_CFGR; section PWR, "Entering
   Over-drive mode", which RM0390 (STM32F446) has too. */
#ifndef STM32_PLL_H
#define STM32_PLL_H

#include <stdint.h>

#include "board.h"
#include "registers.h"

#define RCC_CR 0x40023800u
#define RCC_PLLCFGR REGISTER(0x40023804u)
#define RCC_CFGR 0x40023808u
#define RCC_APB1ENR REGISTER(0x40023840u)
#define PWR_CR REGISTER(0x40007000u)
#define PWR_CSR 0x40007004u
#define FLASH_ACR REGISTER(0x40023c00u)

#define HSI_HZ 16000000u
#define CLOCK_SOURCE_INTERNAL 0
#define CLOCK_SOURCE_BYPASS 2

#define CR_HSEON (1u << 16)
#define CR_HSERDY (1u << 17)
#define CR_HSEBYP (1u << 18)
#define CR_PLLON (1u << 24)
#define CR_PLLRDY (1u << 25)
#define PLLCFGR_HSE (1u << 22)
/* As after reset: reserved, or PLLR of STM32F446, which must not be 0. */
#define PLLCFGR_RESET (2u << 28)
#define CFGR_SW_PLL 2u
#define CFGR_SWS_PLL (2u << 2)
/* AHB undivided, APB1 a quarter, APB2 a half. */
#define CFGR_BUSES ((5u << 10) | (4u << 13))
#define APB1_DIVISOR 4u
#define APB2_DIVISOR 2u
#define APB2_BASE 0x40010000u
#define APB1ENR_PWREN (1u << 28)
#define CR_ODEN (1u << 16)
#define CR_ODSWEN (1u << 17)
#define CSR_ODRDY (1u << 16)
#define CSR_ODSWRDY (1u << 17)

/* Starts the source, which HSI needs not, and then the PLL at BOARD_CLOCK_HZ: 1 MHz in, twice
   the core clock inside, divided by two. Whether both came up. */
static inline int start_pll(void) {
  const uint32_t external = BOARD_CLOCK_SOURCE != CLOCK_SOURCE_INTERNAL;
  if (external) {
    REGISTER(RCC_CR) |= CR_HSEON | (BOARD_CLOCK_SOURCE == CLOCK_SOURCE_BYPASS ? CR_HSEBYP : 0u);
    if (!register_becomes(RCC_CR, CR_HSERDY, CR_HSERDY)) {
      return 0;
    }
  }
  const uint32_t divide = (external ? BOARD_CLOCK_SOURCE_HZ : HSI_HZ) / 1000000u;
  const uint32_t multiply = 2u * (BOARD_CLOCK_HZ / 1000000u);
  /* PLLQ gives 48 MHz to USB; PLLP 0 divides by two. */
  RCC_PLLCFGR = PLLCFGR_RESET | ((multiply / 48u) << 24) | (external ? PLLCFGR_HSE : 0u) |
                (multiply << 6) | divide;
  REGISTER(RCC_CR) |= CR_PLLON;
  return register_becomes(RCC_CR, CR_PLLRDY, CR_PLLRDY);
}

/* Raises the core's voltage for the fastest clocks; whether it is up. */
static inline int over_drive(void) {
  RCC_APB1ENR |= APB1ENR_PWREN;
  (void)RCC_APB1ENR; /* some cycles until PWR answers: read too soon, it would lose its settings */
  PWR_CR |= CR_ODEN;
  if (!register_becomes(PWR_CSR, CSR_ODRDY, CSR_ODRDY)) {
    return 0;
  }
  PWR_CR |= CR_ODSWEN;
  return register_becomes(PWR_CSR, CSR_ODSWRDY, CSR_ODSWRDY);
}

/* Runs the core from the PLL, where it can; the clocks then. */
static inline struct clocks switch_to_pll(void) {
  struct clocks clocks = {HSI_HZ, HSI_HZ};
  REGISTER(RCC_CFGR) = CFGR_BUSES | CFGR_SW_PLL;
  if (register_becomes(RCC_CFGR, CFGR_SWS_PLL, CFGR_SWS_PLL)) {
    clocks.core_hz = BOARD_CLOCK_HZ;
    clocks.console_hz =
        BOARD_CLOCK_HZ / (BOARD_CONSOLE_BASE >= APB2_BASE ? APB2_DIVISOR : APB1_DIVISOR);
  } else {
    REGISTER(RCC_CFGR) = 0;
  }
  return clocks;
}

#endif /* STM32_PLL_H */
