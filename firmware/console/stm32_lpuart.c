/* Console on the LPUART of STM32.
   RM0432, section LPUART, "LPUART baud rate generation": BRR is 256 times the clock over the baud
   rate. */
#include "board.h"
#include "peripheral.h"
#include "stm32_usart.h"

void console_init(uint32_t hz) {
  usart_start((uint32_t)(((uint64_t)hz * 256u + BOARD_CONSOLE_BAUD / 2u) / BOARD_CONSOLE_BAUD));
}

void console_put(char byte) { usart_put(byte); }

int console_poll(char *byte) { return usart_poll(byte); }
