/* Pins of FE310: the first I/O function, which is the UART on its pins.
   FE310-G002 manual, chapter 17 "GPIO": iof_en at 0x38, iof_sel at 0x3c. */
#include "peripheral.h"
#include "registers.h"

void pins_init(void) {
  const uint32_t pins = (1u << BOARD_CONSOLE_TX_PIN) | (1u << BOARD_CONSOLE_RX_PIN);
  REGISTER(BOARD_PINS_BASE + 0x3cu) &= ~pins;
  REGISTER(BOARD_PINS_BASE + 0x38u) |= pins;
}
