/* Access to memory-mapped registers. */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

/* Some milliseconds at the clocks after reset: longer than a crystal takes to start, short where
   nothing answers. */
#define REGISTER_PATIENCE 50000u

/* Whether all `bits` under `mask` appear in the register at `address` in time. */
static inline int register_becomes(uint32_t address, uint32_t mask, uint32_t bits) {
  for (uint32_t i = 0; i < REGISTER_PATIENCE; ++i) {
    if ((REGISTER(address) & mask) == bits) {
      return 1;
    }
  }
  return 0;
}

/* Replaces the bits under `mask`. */
static inline void register_set(uint32_t address, uint32_t mask, uint32_t bits) {
  REGISTER(address) = (REGISTER(address) & ~mask) | bits;
}

#endif /* REGISTERS_H */
