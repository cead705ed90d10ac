/* Console on the APB UART of the Cortex-M System Design Kit.
   DDI 0479 (CMSDK TRM), section "APB UART": DATA, STATE, CTRL, INTSTATUS, BAUDDIV. */
#include "board.h"
#include "peripheral.h"
#include "registers.h"

#define UART_DATA REGISTER(BOARD_CONSOLE_BASE + 0x00u)
#define UART_STATE REGISTER(BOARD_CONSOLE_BASE + 0x04u)
#define UART_CTRL REGISTER(BOARD_CONSOLE_BASE + 0x08u)
#define UART_INTCLEAR REGISTER(BOARD_CONSOLE_BASE + 0x0cu)
#define UART_BAUDDIV REGISTER(BOARD_CONSOLE_BASE + 0x10u)

#define STATE_TX_FULL 1u
#define STATE_RX_FULL 2u
#define CTRL_TX_RX_ENABLE 3u
#define CTRL_RX_INTERRUPT (1u << 3)
#define INT_RX 2u
#define LOWEST_DIVISOR 16u

void console_init(uint32_t hz) {
  const uint32_t divisor = hz / BOARD_CONSOLE_BAUD;
  UART_BAUDDIV = divisor < LOWEST_DIVISOR ? LOWEST_DIVISOR : divisor;
  UART_CTRL = CTRL_TX_RX_ENABLE | CTRL_RX_INTERRUPT;
}

void console_put(char byte) {
  while ((UART_STATE & STATE_TX_FULL) != 0u) {
  }
  UART_DATA = (uint32_t)(unsigned char)byte;
}

int console_poll(char *byte) {
  /* Cleared first: a byte that arrives after the look below asks for attention again. */
  UART_INTCLEAR = INT_RX;
  if ((UART_STATE & STATE_RX_FULL) == 0u) {
    return 0;
  }
  *byte = (char)UART_DATA;
  return 1;
}
