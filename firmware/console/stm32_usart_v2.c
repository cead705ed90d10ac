/* Console on the USART of STM32F7 and later, with registers of their own for either direction.
   RM0385, section USART, "USART baud rate generation": with 16 samples a bit, BRR is the clock
   over the baud rate. */
#include "board.h"
#include "peripheral.h"
#include "stm32_usart.h"

void console_init(uint32_t hz) {
  usart_start((hz + BOARD_CONSOLE_BAUD / 2u) / BOARD_CONSOLE_BAUD);
}

void console_put(char byte) { usart_put(byte); }

int console_poll(char *byte) { return usart_poll(byte); }
