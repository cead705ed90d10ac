/* Counter on SysTick: 24 bits that count down, made 64 by an interrupt at every wrap. */
#include "board.h"
#include "systick.h"

static volatile uint32_t wraps;

void systick_handler(void);

void systick_handler(void) { ++wraps; }

void counter_start(void) {
  SYST_CSR = 0;
  SYST_RVR = SYSTICK_RELOAD;
  SYST_CVR = 0; /* any write clears the count and the pending wrap */
  wraps = 0;
  SYST_CSR = CSR_RUN;
}

uint64_t counter_read(void) {
  uint32_t high = 0;
  uint32_t low = 0;
  do {
    high = wraps;
    /* 0 stands before the first tick and at every wrap. */
    low = (0u - SYST_CVR) & SYSTICK_RELOAD;
  } while (high != wraps);
  return (uint64_t)high * (SYSTICK_RELOAD + 1u) + low;
}

uint32_t counter_hz(uint32_t clock_hz) { return clock_hz; }
