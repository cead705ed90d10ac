/* Console on PrimeCell PL011.
   DDI 0183 (PL011 TRM), chapter 3: UARTDR, UARTFR, UARTIBRD, UARTFBRD, UARTLCR_H, UARTCR,
   UARTIMSC, UARTICR. */
#include "board.h"
#include "peripheral.h"
#include "registers.h"

#define UARTDR REGISTER(BOARD_CONSOLE_BASE + 0x00u)
#define UARTFR REGISTER(BOARD_CONSOLE_BASE + 0x18u)
#define UARTIBRD REGISTER(BOARD_CONSOLE_BASE + 0x24u)
#define UARTFBRD REGISTER(BOARD_CONSOLE_BASE + 0x28u)
#define UARTLCR_H REGISTER(BOARD_CONSOLE_BASE + 0x2cu)
#define UARTCR REGISTER(BOARD_CONSOLE_BASE + 0x30u)
#define UARTIMSC REGISTER(BOARD_CONSOLE_BASE + 0x38u)

#define FR_RX_EMPTY (1u << 4)
#define FR_TX_FULL (1u << 5)
#define LCR_8_BITS (3u << 5)
#define CR_ENABLE ((1u << 9) | (1u << 8) | 1u)
#define INT_RX (1u << 4)

void console_init(uint32_t hz) {
  /* The divisor is the clock over 16 times the baud rate, in 64ths. */
  const uint32_t divisor = (hz * 4u + BOARD_CONSOLE_BAUD / 2u) / BOARD_CONSOLE_BAUD;
  UARTIBRD = divisor / 64u;
  UARTFBRD = divisor % 64u;
  /* Without the FIFO every byte asks for attention, not the fourth. Writing this register takes
     over the divisor. */
  UARTLCR_H = LCR_8_BITS;
  UARTIMSC = INT_RX;
  UARTCR = CR_ENABLE;
}

void console_put(char byte) {
  while ((UARTFR & FR_TX_FULL) != 0u) {
  }
  UARTDR = (uint32_t)(unsigned char)byte;
}

int console_poll(char *byte) {
  if ((UARTFR & FR_RX_EMPTY) != 0u) {
    return 0;
  }
  /* Reading the last byte clears the interrupt. */
  *byte = (char)UARTDR;
  return 1;
}
