/* What the drivers of a board provide. One file of each kind is linked. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

/* Frequencies in Hz: the core's, and the one that the console's peripheral is clocked with. */
struct clocks {
  uint32_t core_hz;
  uint32_t console_hz;
};

/* Clock: brings the core to its speed, or leaves the reset clock where the oscillator or the PLL
   does not answer; returns what was reached. */
struct clocks clock_init(void);

/* Console: 8 data bits, no parity, one stop bit at BOARD_CONSOLE_BAUD. `hz` is its peripheral's
   clock. */
void console_start(uint32_t hz);
void console_put(char byte);
/* Waits for a byte; the host's console ends the program where its input ends. */
char console_get(void);

/* Counter of elapsed ticks: start, then read as often as wanted. */
void counter_start(void);
uint64_t counter_read(void);
/* Ticks per second for a core at `clock_hz`. */
uint32_t counter_hz(uint32_t clock_hz);

#endif /* BOARD_H */
