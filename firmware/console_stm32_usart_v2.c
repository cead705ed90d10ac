/* Console on the USART of STM32F7 and later, with registers of their own for either direction.
   RM0385, section USART, "USART registers": CR1, BRR, ISR, ICR, RDR, TDR. */
#include "board.h"
#include "registers.h"
#include "stm32_gpio.h"

#define USART_CR1 REGISTER(BOARD_CONSOLE_BASE + 0x00u)
#define USART_BRR REGISTER(BOARD_CONSOLE_BASE + 0x0cu)
#define USART_ISR REGISTER(BOARD_CONSOLE_BASE + 0x1cu)
#define USART_ICR REGISTER(BOARD_CONSOLE_BASE + 0x20u)
#define USART_RDR REGISTER(BOARD_CONSOLE_BASE + 0x24u)
#define USART_TDR REGISTER(BOARD_CONSOLE_BASE + 0x28u)

#define CR1_UE (1u << 0)
#define CR1_RE (1u << 2)
#define CR1_TE (1u << 3)
#define ISR_ORE (1u << 3)
#define ISR_RXNE (1u << 5)
#define ISR_TXE (1u << 7)

void console_init(uint32_t clock_hz) {
  enable_usart(BOARD_CONSOLE_BASE);
  set_alternate(BOARD_CONSOLE_TX_PORT, BOARD_CONSOLE_TX_PIN, BOARD_CONSOLE_TX_FUNCTION);
  set_alternate(BOARD_CONSOLE_RX_PORT, BOARD_CONSOLE_RX_PIN, BOARD_CONSOLE_RX_FUNCTION);
  /* With 16 samples a bit, BRR is the bus clock over the baud rate. */
  const uint32_t hz = bus_hz(BOARD_CONSOLE_BASE, clock_hz);
  USART_BRR = (hz + BOARD_CONSOLE_BAUD / 2u) / BOARD_CONSOLE_BAUD;
  USART_CR1 = CR1_UE | CR1_TE | CR1_RE;
}

void console_put(char byte) {
  while ((USART_ISR & ISR_TXE) == 0u) {
  }
  USART_TDR = (uint32_t)(unsigned char)byte;
}

char console_get(void) {
  for (;;) {
    const uint32_t status = USART_ISR;
    if ((status & ISR_ORE) != 0u) {
      /* An overrun stops reception until it is cleared; the host sees a bad checksum. */
      USART_ICR = ISR_ORE;
    }
    if ((status & ISR_RXNE) != 0u) {
      return (char)USART_RDR;
    }
  }
}
