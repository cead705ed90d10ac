/* Pins of STM32 since F2: ports 1 KB apart, a bit each in one enable register.
   RM0090, section GPIO, "GPIO registers": MODER, PUPDR, AFRL, AFRH. */
#include "peripheral.h"
#include "registers.h"

/* Gives pin `number` of `port` (0 is A) its alternate `function`, with a pull-up. */
static void connect(uint32_t port, uint32_t number, uint32_t function) {
  const uint32_t base = BOARD_PINS_BASE + 0x400u * port;
  REGISTER(BOARD_PINS_ENABLE) |= 1u << port;
  (void)REGISTER(BOARD_PINS_ENABLE); /* some cycles until the port answers */
  register_set(base + 0x20u + 4u * (number / 8u), 15u << (4u * (number % 8u)),
               function << (4u * (number % 8u)));
  register_set(base + 0x0cu, 3u << (2u * number), 1u << (2u * number));
  register_set(base, 3u << (2u * number), 2u << (2u * number));
}

void pins_init(void) {
  REGISTER(BOARD_CONSOLE_ENABLE) |= 1u << BOARD_CONSOLE_ENABLE_BIT;
  connect(BOARD_CONSOLE_TX_PORT, BOARD_CONSOLE_TX_PIN, BOARD_CONSOLE_TX_FUNCTION);
  connect(BOARD_CONSOLE_RX_PORT, BOARD_CONSOLE_RX_PIN, BOARD_CONSOLE_RX_FUNCTION);
}
