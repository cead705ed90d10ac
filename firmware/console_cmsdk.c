/* Console on the APB UART of the Cortex-M System Design Kit.
   DDI 0479 (CMSDK TRM), section "APB UART": DATA, STATE, CTRL, INTSTATUS, BAUDDIV. */
#include "board.h"
#include "registers.h"

#define UART_DATA REGISTER(BOARD_CONSOLE_BASE + 0x00u)
#define UART_STATE REGISTER(BOARD_CONSOLE_BASE + 0x04u)
#define UART_CTRL REGISTER(BOARD_CONSOLE_BASE + 0x08u)
#define UART_BAUDDIV REGISTER(BOARD_CONSOLE_BASE + 0x10u)

#define STATE_TX_FULL 1u
#define STATE_RX_FULL 2u
#define CTRL_TX_RX_ENABLE 3u
#define LOWEST_DIVISOR 16u

void console_init(uint32_t clock_hz) {
  const uint32_t divisor = clock_hz / BOARD_CONSOLE_BAUD;
  UART_BAUDDIV = divisor < LOWEST_DIVISOR ? LOWEST_DIVISOR : divisor;
  UART_CTRL = CTRL_TX_RX_ENABLE;
}

void console_put(char byte) {
  while ((UART_STATE & STATE_TX_FULL) != 0u) {
  }
  UART_DATA = (uint32_t)(unsigned char)byte;
}

char console_get(void) {
  while ((UART_STATE & STATE_RX_FULL) == 0u) {
  }
  return (char)UART_DATA;
}
