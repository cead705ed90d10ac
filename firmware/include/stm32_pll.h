/* The oscillators and the main PLL of STM32F4 and STM32F7, which agree in both.
   RM0090 and RM0385, section RCC: RCC_CR, RCC_PLLCFGR, RCC_CFGR. */
#ifndef STM32_PLL_H
#define STM32_PLL_H

#include <stdint.h>

#include "registers.h"

#define RCC_CR REGISTER(0x40023800u)
#define RCC_PLLCFGR REGISTER(0x40023804u)
#define RCC_CFGR REGISTER(0x40023808u)
#define RCC_APB1ENR REGISTER(0x40023840u)
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
#define CFGR_SW_PLL 2u
#define CFGR_SWS_PLL (2u << 2)
/* AHB undivided, APB1 a quarter, APB2 a half. */
#define CFGR_BUSES ((5u << 10) | (4u << 13))

/* Long enough for a crystal to start (some 2 ms) at 16 MHz, short where nothing answers. */
#define PATIENCE 50000u

/* Whether any of `bits` came up in the register at `address` in time. */
static inline int comes_up(uint32_t address, uint32_t bits) {
  for (uint32_t i = 0; i < PATIENCE; ++i) {
    if ((REGISTER(address) & bits) != 0u) {
      return 1;
    }
  }
  return 0;
}

/* Starts the source, which HSI needs not, and then the PLL at BOARD_CLOCK_HZ: 1 MHz in, twice
   the core clock inside, divided by two. Whether both came up. */
static inline int start_pll(void) {
  const uint32_t external = BOARD_CLOCK_SOURCE != CLOCK_SOURCE_INTERNAL;
  if (external) {
    RCC_CR |= CR_HSEON | (BOARD_CLOCK_SOURCE == CLOCK_SOURCE_BYPASS ? CR_HSEBYP : 0u);
    if (!comes_up(0x40023800u, CR_HSERDY)) {
      return 0;
    }
  }
  const uint32_t divide = (external ? BOARD_CLOCK_SOURCE_HZ : HSI_HZ) / 1000000u;
  const uint32_t multiply = 2u * (BOARD_CLOCK_HZ / 1000000u);
  /* PLLQ gives 48 MHz to USB; PLLP 0 divides by two. */
  RCC_PLLCFGR =
      divide | (multiply << 6) | (external ? PLLCFGR_HSE : 0u) | ((multiply / 48u) << 24);
  RCC_CR |= CR_PLLON;
  return comes_up(0x40023800u, CR_PLLRDY);
}

/* Runs the core from the PLL; whether it does. */
static inline int switch_to_pll(void) {
  RCC_CFGR = CFGR_BUSES | CFGR_SW_PLL;
  return comes_up(0x40023808u, CFGR_SWS_PLL);
}

#endif /* STM32_PLL_H */
