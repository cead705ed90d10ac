/* STM32F4: up to 168 MHz from the PLL, up to 180 MHz with over-drive, else HSI at 16 MHz.
   RM0090 and RM0390, sections RCC, PWR and "Embedded Flash memory interface": FLASH_ACR. */
#include "stm32_pll.h"

/* Instruction and data cache, prefetch, and the 5 wait states of 150 to 180 MHz at 2.7 V. */
#define ACR_FAST ((1u << 10) | (1u << 9) | (1u << 8) | 5u)
#define WITHOUT_OVER_DRIVE_HZ 168000000u

struct clocks clock_init(void) {
  const struct clocks reset = {HSI_HZ, HSI_HZ};
  if (!start_pll() || (BOARD_CLOCK_HZ > WITHOUT_OVER_DRIVE_HZ && !over_drive())) {
    return reset;
  }
  FLASH_ACR = ACR_FAST;
  return switch_to_pll();
}
