/* Pins of STM32F1: four bits a pin for mode and drive, ports 1 KB apart.
   RM0041, sections GPIO (GPIOx_CRL, GPIOx_CRH) and RCC (RCC_APB2ENR: IOPAEN is bit 2). */
#include "peripheral.h"
#include "registers.h"

#define ALTERNATE_PUSH_PULL_50_MHZ 11u
#define FLOATING_INPUT 4u
#define APB2ENR_FIRST_PORT 2u

static void configure(uint32_t port, uint32_t number, uint32_t mode) {
  const uint32_t base = BOARD_PINS_BASE + 0x400u * port;
  REGISTER(BOARD_PINS_ENABLE) |= 1u << (APB2ENR_FIRST_PORT + port);
  (void)REGISTER(BOARD_PINS_ENABLE); /* some cycles until the port answers */
  register_set(base + 4u * (number / 8u), 15u << (4u * (number % 8u)),
               mode << (4u * (number % 8u)));
}

void pins_init(void) {
  REGISTER(BOARD_CONSOLE_ENABLE) |= 1u << BOARD_CONSOLE_ENABLE_BIT;
  configure(BOARD_CONSOLE_TX_PORT, BOARD_CONSOLE_TX_PIN, ALTERNATE_PUSH_PULL_50_MHZ);
  configure(BOARD_CONSOLE_RX_PORT, BOARD_CONSOLE_RX_PIN, FLOATING_INPUT);
}
