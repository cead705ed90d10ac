/* Received bytes wait in a ring, so that the host may send while the firmware computes or writes. */
#include "board.h"
#include "interrupts.h"
#include "peripheral.h"

/* A power of two: what a host sends ahead is a short command. */
#define RING_BYTES 128u

static volatile char ring[RING_BYTES];
static volatile uint32_t written;
static volatile uint32_t taken;

void console_interrupt(void) {
  char byte = 0;
  while (written - taken < RING_BYTES) {
    if (!console_poll(&byte)) {
      return;
    }
    ring[written % RING_BYTES] = byte;
    ++written;
  }
  /* Full: further bytes wait in the peripheral until there is room. Those that it loses then are
     told by checksums; an emulator's loses none. */
  interrupt_disable(BOARD_CONSOLE_INTERRUPT);
}

void console_start(uint32_t hz) {
  pins_init();
  console_init(hz);
  interrupt_enable(BOARD_CONSOLE_INTERRUPT);
  interrupts_on();
}

char console_get(void) {
  interrupts_off();
  while (written == taken) {
    /* Pending interrupts end the sleep though they are off: none is missed in between. */
    wait_for_interrupt();
    interrupts_on();
    interrupts_off();
  }
  const char byte = ring[taken % RING_BYTES];
  ++taken;
  interrupt_enable(BOARD_CONSOLE_INTERRUPT);
  interrupts_on();
  return byte;
}
