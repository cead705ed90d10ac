/* Console on the UARTE of nRF52 and nRF53, which moves bytes through memory.
   nRF52840 Product Specification, UARTE: EasyDMA, SHORTS, RXD.PTR, TXD.PTR. */
#include "board.h"
#include "nrf_uart.h"
#include "peripheral.h"

#define EVENT_ENDRX REGISTER(BOARD_CONSOLE_BASE + 0x110u)
#define EVENT_ENDTX REGISTER(BOARD_CONSOLE_BASE + 0x120u)
#define EVENT_RXSTARTED REGISTER(BOARD_CONSOLE_BASE + 0x14cu)
#define UARTE_SHORTS REGISTER(BOARD_CONSOLE_BASE + 0x200u)
#define RXD_PTR REGISTER(BOARD_CONSOLE_BASE + 0x534u)
#define RXD_MAXCNT REGISTER(BOARD_CONSOLE_BASE + 0x538u)
#define TXD_PTR REGISTER(BOARD_CONSOLE_BASE + 0x544u)
#define TXD_MAXCNT REGISTER(BOARD_CONSOLE_BASE + 0x548u)
#define SHORT_ENDRX_STARTRX (1u << 5)
#define INT_ENDRX (1u << 4)
#define ENABLE_UARTE 8u

/* Reception goes into one byte while the other waits to be taken. */
static volatile char received[2];
static volatile char sent;
static uint32_t current;

static uint32_t address_of(const volatile char *byte) { return (uint32_t)(uintptr_t)byte; }

static void point_at_next(void) {
  while (EVENT_RXSTARTED == 0u) {
  }
  EVENT_RXSTARTED = 0;
  /* The pointer has been taken over when reception starts, and may change for the next. */
  RXD_PTR = address_of(&received[1u - current]);
}

void console_init(uint32_t hz) {
  (void)hz; /* 16 MHz in any case */
  nrf_uart_connect();
  UART_ENABLE = ENABLE_UARTE;
  UARTE_SHORTS = SHORT_ENDRX_STARTRX;
  RXD_PTR = address_of(&received[0]);
  RXD_MAXCNT = 1;
  TXD_MAXCNT = 1;
  UART_INTENSET = INT_ENDRX;
  UART_TASK_STARTRX = 1;
  point_at_next();
}

void console_put(char byte) {
  sent = byte;
  EVENT_ENDTX = 0;
  TXD_PTR = address_of(&sent);
  UART_TASK_STARTTX = 1;
  while (EVENT_ENDTX == 0u) {
  }
}

int console_poll(char *byte) {
  if (EVENT_ENDRX == 0u) {
    return 0;
  }
  EVENT_ENDRX = 0;
  *byte = received[current];
  current = 1u - current;
  point_at_next();
  return 1;
}
