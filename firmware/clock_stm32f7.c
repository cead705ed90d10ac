/* STM32F7: 216 MHz at most from the PLL with over-drive, else HSI at 16 MHz.
   RM0385, sections RCC, PWR ("Entering Over-drive mode") and "Embedded Flash memory". */
#include "board.h"
#include "stm32_pll.h"

#define PWR_CR1 REGISTER(0x40007000u)
#define APB1ENR_PWREN (1u << 28)
#define CR1_ODEN (1u << 16)
#define CR1_ODSWEN (1u << 17)
#define CSR1_ODRDY (1u << 16)
#define CSR1_ODSWRDY (1u << 17)
/* ART accelerator, prefetch, and the 7 wait states of 210 to 216 MHz at 2.7 V. */
#define ACR_FAST ((1u << 9) | (1u << 8) | 7u)

static int over_drive(void) {
  RCC_APB1ENR |= APB1ENR_PWREN;
  PWR_CR1 |= CR1_ODEN;
  if (!comes_up(0x40007004u, CSR1_ODRDY)) {
    return 0;
  }
  PWR_CR1 |= CR1_ODSWEN;
  return comes_up(0x40007004u, CSR1_ODSWRDY);
}

uint32_t clock_init(void) {
  if (!start_pll() || !over_drive()) {
    return HSI_HZ;
  }
  FLASH_ACR = ACR_FAST;
  return switch_to_pll() ? BOARD_CLOCK_HZ : HSI_HZ;
}
