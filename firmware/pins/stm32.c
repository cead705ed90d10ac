/* Pins of STM32 since F2. */
#include "peripheral.h"
#include "stm32_pins.h"

void pins_init(void) {
  REGISTER(BOARD_CONSOLE_ENABLE) |= 1u << BOARD_CONSOLE_ENABLE_BIT;
  stm32_connect(BOARD_CONSOLE_TX_PORT, BOARD_CONSOLE_TX_PIN, BOARD_CONSOLE_TX_FUNCTION,
                PIN_SPEED_LOW);
  stm32_connect(BOARD_CONSOLE_RX_PORT, BOARD_CONSOLE_RX_PIN, BOARD_CONSOLE_RX_FUNCTION,
                PIN_SPEED_LOW);
}
