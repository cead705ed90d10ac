/* STM32F7: 216 MHz at most from the PLL with over-drive, else HSI at 16 MHz.
   RM0385, sections RCC, PWR and "Embedded Flash memory": FLASH_ACR. */
#include "stm32_pll.h"

/* ART accelerator, prefetch, and the 7 wait states of 210 to 216 MHz at 2.7 V. */
#define ACR_FAST ((1u << 9) | (1u << 8) | 7u)

struct clocks clock_init(void) {
  const struct clocks reset = {HSI_HZ, HSI_HZ};
  if (!start_pll() || !over_drive()) {
    return reset;
  }
  FLASH_ACR = ACR_FAST;
  return switch_to_pll();
}
