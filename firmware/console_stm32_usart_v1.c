/* Console on the USART of STM32F1, F2 and F4, with one status and one data register.
   RM0090, section USART, "USART registers": SR, DR, BRR, CR1. */
#include "board.h"
#include "registers.h"
#include "stm32_gpio.h"

#define USART_SR REGISTER(BOARD_CONSOLE_BASE + 0x00u)
#define USART_DR REGISTER(BOARD_CONSOLE_BASE + 0x04u)
#define USART_BRR REGISTER(BOARD_CONSOLE_BASE + 0x08u)
#define USART_CR1 REGISTER(BOARD_CONSOLE_BASE + 0x0cu)

#define SR_RXNE (1u << 5)
#define SR_TXE (1u << 7)
#define CR1_RE (1u << 2)
#define CR1_TE (1u << 3)
#define CR1_UE (1u << 13)

void console_init(uint32_t clock_hz) {
  enable_usart(BOARD_CONSOLE_BASE);
  set_alternate(BOARD_CONSOLE_TX_PORT, BOARD_CONSOLE_TX_PIN, BOARD_CONSOLE_TX_FUNCTION);
  set_alternate(BOARD_CONSOLE_RX_PORT, BOARD_CONSOLE_RX_PIN, BOARD_CONSOLE_RX_FUNCTION);
  /* With 16 samples a bit, BRR is the bus clock over the baud rate. */
  const uint32_t hz = bus_hz(BOARD_CONSOLE_BASE, clock_hz);
  USART_BRR = (hz + BOARD_CONSOLE_BAUD / 2u) / BOARD_CONSOLE_BAUD;
  USART_CR1 = CR1_UE | CR1_TE | CR1_RE;
}

void console_put(char byte) {
  while ((USART_SR & SR_TXE) == 0u) {
  }
  USART_DR = (uint32_t)(unsigned char)byte;
}

char console_get(void) {
  /* Reading SR and then DR also clears an overrun. */
  while ((USART_SR & SR_RXNE) == 0u) {
  }
  return (char)USART_DR;
}
