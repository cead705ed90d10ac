/* Pins of RP2040 and RP2350, and the resets of IO, pads and the console's peripheral.
   RP2040 datasheet 2.14.3, 2.19.6.1 (IO_BANK0) and 2.19.6.3 (PADS_BANK0); RP2350 datasheet 7.5.3,
   9.11.1 and 9.11.3. BOARD_CONSOLE_ENABLE is the register RESETS: RESET. */
#include "peripheral.h"
#include "registers.h"

#if BOARD_PINS_BASE == 0x40014000u
/* RP2040. */
#define RESET_IO_AND_PADS ((1u << 5) | (1u << 8))
#define PADS_BANK0 0x4001c000u
#else
/* RP2350. */
#define RESET_IO_AND_PADS ((1u << 6) | (1u << 9))
#define PADS_BANK0 0x40038000u
#endif
/* Input enable, 4 mA, pull-up, Schmitt trigger; RP2350's isolation (bit 8) off. */
#define PAD_UART ((1u << 6) | (1u << 4) | (1u << 3) | (1u << 1))

static void connect(uint32_t number, uint32_t function) {
  REGISTER(PADS_BANK0 + 4u + 4u * number) = PAD_UART;
  REGISTER(BOARD_PINS_BASE + 4u + 8u * number) = function;
}

void pins_init(void) {
  const uint32_t blocks = RESET_IO_AND_PADS | (1u << BOARD_CONSOLE_ENABLE_BIT);
  REGISTER(BOARD_CONSOLE_ENABLE) &= ~blocks;
  if (register_becomes(BOARD_CONSOLE_ENABLE + 8u, blocks, blocks)) {
    connect(BOARD_CONSOLE_TX_PIN, BOARD_CONSOLE_TX_FUNCTION);
    connect(BOARD_CONSOLE_RX_PIN, BOARD_CONSOLE_RX_FUNCTION);
  }
}
