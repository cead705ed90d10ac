/* Console on the UART of nRF51 and nRF52, which moves one byte at a time.
   nRF51 Series Reference Manual 3.0, chapter 29: tasks, events, RXD, TXD. */
#include "board.h"
#include "nrf_uart.h"
#include "peripheral.h"

#define EVENT_RXDRDY REGISTER(BOARD_CONSOLE_BASE + 0x108u)
#define EVENT_TXDRDY REGISTER(BOARD_CONSOLE_BASE + 0x11cu)
#define UART_RXD REGISTER(BOARD_CONSOLE_BASE + 0x518u)
#define UART_TXD REGISTER(BOARD_CONSOLE_BASE + 0x51cu)
#define INT_RXDRDY (1u << 2)
#define ENABLE_UART 4u

void console_init(uint32_t hz) {
  (void)hz; /* 16 MHz in any case */
  nrf_uart_connect();
  UART_ENABLE = ENABLE_UART;
  UART_INTENSET = INT_RXDRDY;
  UART_TASK_STARTTX = 1;
  UART_TASK_STARTRX = 1;
}

void console_put(char byte) {
  EVENT_TXDRDY = 0;
  UART_TXD = (uint32_t)(unsigned char)byte;
  while (EVENT_TXDRDY == 0u) {
  }
}

int console_poll(char *byte) {
  if (EVENT_RXDRDY == 0u) {
    return 0;
  }
  EVENT_RXDRDY = 0;
  *byte = (char)UART_RXD;
  return 1;
}
