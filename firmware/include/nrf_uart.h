/* What the UART and the UARTE of nRF share: enabling, pins and baud rate.
   nRF51 Series Reference Manual 3.0, chapter 29; nRF52840 Product Specification, UARTE. */
#ifndef NRF_UART_H
#define NRF_UART_H

#include "registers.h"

#define UART_TASK_STARTRX REGISTER(BOARD_CONSOLE_BASE + 0x000u)
#define UART_TASK_STARTTX REGISTER(BOARD_CONSOLE_BASE + 0x008u)
#define UART_INTENSET REGISTER(BOARD_CONSOLE_BASE + 0x304u)
#define UART_ENABLE REGISTER(BOARD_CONSOLE_BASE + 0x500u)
#define UART_PSELTXD REGISTER(BOARD_CONSOLE_BASE + 0x50cu)
#define UART_PSELRXD REGISTER(BOARD_CONSOLE_BASE + 0x514u)
#define UART_BAUDRATE REGISTER(BOARD_CONSOLE_BASE + 0x524u)

/* The peripheral runs at 16 MHz and takes 2**32 baud over that, of which it keeps 20 bits. */
#define UART_RATE                                                                           \
  ((uint32_t)((((uint64_t)BOARD_CONSOLE_BAUD << 32) + 8000000u) / 16000000u + 0x800u) & \
   0xfffff000u)

/* Pins count 32 to a port. */
static inline void nrf_uart_connect(void) {
  UART_PSELTXD = 32u * BOARD_CONSOLE_TX_PORT + BOARD_CONSOLE_TX_PIN;
  UART_PSELRXD = 32u * BOARD_CONSOLE_RX_PORT + BOARD_CONSOLE_RX_PIN;
  UART_BAUDRATE = UART_RATE;
}

#endif /* NRF_UART_H */
