/* Console on the USART of STM32F1, F2 and F4, with one status and one data register.
   RM0090, section USART, "USART registers": SR, DR, BRR, CR1. */
#include "board.h"
#include "peripheral.h"
#include "registers.h"

#define USART_SR REGISTER(BOARD_CONSOLE_BASE + 0x00u)
#define USART_DR REGISTER(BOARD_CONSOLE_BASE + 0x04u)
#define USART_BRR REGISTER(BOARD_CONSOLE_BASE + 0x08u)
#define USART_CR1 REGISTER(BOARD_CONSOLE_BASE + 0x0cu)

#define SR_RXNE (1u << 5)
#define SR_TXE (1u << 7)
#define CR1_RE (1u << 2)
#define CR1_TE (1u << 3)
#define CR1_RXNEIE (1u << 5)
#define CR1_UE (1u << 13)

void console_init(uint32_t hz) {
  /* With 16 samples a bit, BRR is the bus clock over the baud rate. */
  USART_BRR = (hz + BOARD_CONSOLE_BAUD / 2u) / BOARD_CONSOLE_BAUD;
  USART_CR1 = CR1_UE | CR1_TE | CR1_RE | CR1_RXNEIE;
}

void console_put(char byte) {
  while ((USART_SR & SR_TXE) == 0u) {
  }
  USART_DR = (uint32_t)(unsigned char)byte;
}

int console_poll(char *byte) {
  if ((USART_SR & SR_RXNE) == 0u) {
    return 0;
  }
  /* Reading SR and then DR also clears an overrun. */
  *byte = (char)USART_DR;
  return 1;
}
