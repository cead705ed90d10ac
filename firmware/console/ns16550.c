/* Console on a 16550 with registers of one byte, one after the other.
   PC16550D datasheet (National Semiconductor, 1995), section 8 "Registers". */
#include "board.h"
#include "peripheral.h"

#define UART(offset) (*(volatile uint8_t *)(uintptr_t)(BOARD_CONSOLE_BASE + (offset)))
#define UART_DATA UART(0u)
#define UART_DLL UART(0u)
#define UART_IER UART(1u)
#define UART_DLM UART(1u)
#define UART_FCR UART(2u)
#define UART_LCR UART(3u)
#define UART_LSR UART(5u)

#define IER_RX 1u
#define FCR_ENABLE_AND_CLEAR 7u
#define LCR_8_BITS 3u
#define LCR_DIVISOR (1u << 7)
#define LSR_RX_READY 1u
#define LSR_TX_EMPTY (1u << 5)

void console_init(uint32_t hz) {
  const uint32_t divisor = (hz / 16u + BOARD_CONSOLE_BAUD / 2u) / BOARD_CONSOLE_BAUD;
  UART_LCR = LCR_DIVISOR | LCR_8_BITS;
  UART_DLL = (uint8_t)(divisor & 0xffu);
  UART_DLM = (uint8_t)((divisor >> 8) & 0xffu);
  UART_LCR = LCR_8_BITS;
  UART_FCR = FCR_ENABLE_AND_CLEAR;
  UART_IER = IER_RX;
}

void console_put(char byte) {
  while ((UART_LSR & LSR_TX_EMPTY) == 0u) {
  }
  UART_DATA = (uint8_t)byte;
}

int console_poll(char *byte) {
  if ((UART_LSR & LSR_RX_READY) == 0u) {
    return 0;
  }
  *byte = (char)UART_DATA;
  return 1;
}
