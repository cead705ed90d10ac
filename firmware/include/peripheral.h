/* Between the drivers of a bare-metal board: the pins and the peripheral behind its console. */
#ifndef PERIPHERAL_H
#define PERIPHERAL_H

#include <stdint.h>

/* Connects the console's peripheral: its bus clock, and its pins. */
void pins_init(void);

/* Starts the peripheral, clocked with `hz`, with an interrupt for every byte that arrives. */
void console_init(uint32_t hz);
/* Whether a byte had arrived; it is then in `*byte`. */
int console_poll(char *byte);
/* What the interrupt calls. */
void console_interrupt(void);

#endif /* PERIPHERAL_H */
