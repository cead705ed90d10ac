/* A native program: its counter counts nanoseconds, and nobody knows the core's frequency. */
#include "board.h"

uint32_t clock_init(void) { return BOARD_CLOCK_HZ; }
