/* Counter on the cycle counter of the DWT, made 64 bits by looking often enough.
   DDI 0403 (Armv7-M), C1.8 "The Data Watchpoint and Trace unit"; the lock of Cortex-M7: DDI 0489. */
#include "board.h"
#include "registers.h"
#include "systick.h"

#define DEMCR REGISTER(0xe000edfcu)
#define DEMCR_TRCENA (1u << 24)
#define DWT_CTRL REGISTER(0xe0001000u)
#define DWT_CYCCNT REGISTER(0xe0001004u)
#define DWT_LAR REGISTER(0xe0001fb0u)
#define LAR_KEY 0xc5acce55u

static volatile uint32_t last;
static volatile uint32_t high;

static void look(void) {
  const uint32_t now = DWT_CYCCNT;
  if (now < last) {
    ++high;
  }
  last = now;
}

void systick_handler(void);

/* SysTick wraps every 2**24 cycles, long before the 32 bits do. */
void systick_handler(void) { look(); }

void counter_start(void) {
  DEMCR |= DEMCR_TRCENA;
  DWT_LAR = LAR_KEY;
  DWT_CTRL |= 1u;
  SYST_CSR = 0;
  SYST_RVR = SYSTICK_RELOAD;
  SYST_CVR = 0;
  high = 0;
  last = 0;
  DWT_CYCCNT = 0;
  SYST_CSR = CSR_RUN;
}

uint64_t counter_read(void) {
  SYST_CSR = 0; /* no interrupt between the two halves */
  look();
  const uint64_t ticks = ((uint64_t)high << 32) | last;
  SYST_CSR = CSR_RUN;
  return ticks;
}

uint32_t counter_hz(uint32_t clock_hz) { return clock_hz; }
