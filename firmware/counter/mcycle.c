/* Counter on the cycles of a RISC-V hart.
   RISC-V privileged specification 1.10, 3.1.11 "Hardware Performance Monitor": mcycle, mcycleh. */
#include "board.h"

void counter_start(void) {}

uint64_t counter_read(void) {
  uint32_t high = 0;
  uint32_t low = 0;
  uint32_t again = 0;
  do {
    __asm__ volatile("csrr %0, mcycleh\n\tcsrr %1, mcycle\n\tcsrr %2, mcycleh"
                     : "=r"(high), "=r"(low), "=r"(again));
  } while (high != again);
  return ((uint64_t)high << 32) | low;
}

uint32_t counter_hz(uint32_t clock_hz) { return clock_hz; }
