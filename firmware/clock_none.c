/* A core that runs at its speed out of reset. */
#include "board.h"

uint32_t clock_init(void) { return BOARD_CLOCK_HZ; }
