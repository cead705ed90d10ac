/* STM32F4: 168 MHz at most from the PLL, else HSI at 16 MHz.
   RM0090, sections RCC and "Embedded Flash memory interface": FLASH_ACR. */
#include "board.h"
#include "stm32_pll.h"

/* Instruction and data cache, prefetch, and the 5 wait states of 150 to 168 MHz at 2.7 V. */
#define ACR_FAST ((1u << 10) | (1u << 9) | (1u << 8) | 5u)

uint32_t clock_init(void) {
  if (!start_pll()) {
    return HSI_HZ;
  }
  FLASH_ACR = ACR_FAST;
  return switch_to_pll() ? BOARD_CLOCK_HZ : HSI_HZ;
}
