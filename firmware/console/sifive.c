/* Console on SiFive's UART.
   FE310-G002 manual, chapter 18: txdata, rxdata, txctrl, rxctrl, ie, div. */
#include "board.h"
#include "peripheral.h"
#include "registers.h"

#define UART_TXDATA REGISTER(BOARD_CONSOLE_BASE + 0x00u)
#define UART_RXDATA REGISTER(BOARD_CONSOLE_BASE + 0x04u)
#define UART_TXCTRL REGISTER(BOARD_CONSOLE_BASE + 0x08u)
#define UART_RXCTRL REGISTER(BOARD_CONSOLE_BASE + 0x0cu)
#define UART_IE REGISTER(BOARD_CONSOLE_BASE + 0x10u)
#define UART_DIV REGISTER(BOARD_CONSOLE_BASE + 0x18u)

#define TX_FULL (1u << 31)
#define RX_EMPTY (1u << 31)
#define ENABLE 1u
/* Attention above a watermark of no bytes, which is bits 16 and up of rxctrl. */
#define IE_RX (1u << 1)

void console_init(uint32_t hz) {
  UART_DIV = (hz + BOARD_CONSOLE_BAUD / 2u) / BOARD_CONSOLE_BAUD - 1u;
  UART_TXCTRL = ENABLE;
  UART_RXCTRL = ENABLE;
  UART_IE = IE_RX;
}

void console_put(char byte) {
  while ((UART_TXDATA & TX_FULL) != 0u) {
  }
  UART_TXDATA = (uint32_t)(unsigned char)byte;
}

int console_poll(char *byte) {
  /* One read takes the byte and tells whether there was one. */
  const uint32_t data = UART_RXDATA;
  if ((data & RX_EMPTY) != 0u) {
    return 0;
  }
  *byte = (char)data;
  return 1;
}
