/* Counter on TIMER0 of nRF51, which has no SysTick: 16 MHz, 32 bits, made 64 by the event at the
   wrap after 268 s. nRF51 Series Reference Manual 3.0, chapter 18 "Timer/counter". */
#include "board.h"
#include "registers.h"

#define TASK_START REGISTER(0x40008000u)
#define TASK_CLEAR REGISTER(0x4000800cu)
#define TASK_CAPTURE_1 REGISTER(0x40008044u)
#define EVENT_COMPARE_0 REGISTER(0x40008140u)
#define BITMODE REGISTER(0x40008508u)
#define PRESCALER REGISTER(0x40008510u)
#define CC_0 REGISTER(0x40008540u)
#define CC_1 REGISTER(0x40008544u)

#define BITMODE_32 3u
#define TIMER_HZ 16000000u

static uint32_t wraps;

static uint32_t capture(void) {
  TASK_CAPTURE_1 = 1;
  return CC_1;
}

void counter_start(void) {
  BITMODE = BITMODE_32;
  PRESCALER = 0;
  CC_0 = 0;
  TASK_CLEAR = 1;
  TASK_START = 1;
  /* Past zero, where the comparison that tells of wraps is true at once. */
  while (capture() == 0u) {
  }
  EVENT_COMPARE_0 = 0;
  wraps = 0;
}

uint64_t counter_read(void) {
  uint32_t low = capture();
  if (EVENT_COMPARE_0 != 0u) {
    EVENT_COMPARE_0 = 0;
    ++wraps;
    low = capture();
  }
  return ((uint64_t)wraps << 32) | low;
}

uint32_t counter_hz(uint32_t clock_hz) {
  (void)clock_hz;
  return TIMER_HZ;
}
