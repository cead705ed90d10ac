/* The USART and LPUART of STM32 since F7, which differ in how the baud rate divides.
   RM0385, section USART, "USART registers": CR1, BRR, ISR, ICR, RDR, TDR. */
#ifndef STM32_USART_H
#define STM32_USART_H

#include "registers.h"

#define USART_CR1 REGISTER(BOARD_CONSOLE_BASE + 0x00u)
#define USART_BRR REGISTER(BOARD_CONSOLE_BASE + 0x0cu)
#define USART_ISR REGISTER(BOARD_CONSOLE_BASE + 0x1cu)
#define USART_ICR REGISTER(BOARD_CONSOLE_BASE + 0x20u)
#define USART_RDR REGISTER(BOARD_CONSOLE_BASE + 0x24u)
#define USART_TDR REGISTER(BOARD_CONSOLE_BASE + 0x28u)

#define CR1_UE (1u << 0)
#define CR1_RE (1u << 2)
#define CR1_TE (1u << 3)
#define CR1_RXNEIE (1u << 5)
#define ISR_ORE (1u << 3)
#define ISR_RXNE (1u << 5)
#define ISR_TXE (1u << 7)

static inline void usart_start(uint32_t divisor) {
  USART_BRR = divisor;
  USART_CR1 = CR1_UE | CR1_TE | CR1_RE | CR1_RXNEIE;
}

static inline void usart_put(char byte) {
  while ((USART_ISR & ISR_TXE) == 0u) {
  }
  USART_TDR = (uint32_t)(unsigned char)byte;
}

static inline int usart_poll(char *byte) {
  const uint32_t status = USART_ISR;
  if ((status & ISR_ORE) != 0u) {
    /* An overrun stops reception until it is cleared; the host sees a bad checksum. */
    USART_ICR = ISR_ORE;
  }
  if ((status & ISR_RXNE) == 0u) {
    return 0;
  }
  *byte = (char)USART_RDR;
  return 1;
}

#endif /* STM32_USART_H */
