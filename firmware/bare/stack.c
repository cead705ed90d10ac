/* Stack painting. */
#include "stack.h"

/* The linker script gives the stack these bounds. */
extern uint32_t __stack_bottom[];
extern uint32_t __stack_top[];

#define PATTERN 0x5aa5c33cu

void stack_paint(void) {
  /* The margin covers what this function itself keeps below its frame. */
  uint32_t *limit = (uint32_t *)__builtin_frame_address(0) - 16;
  for (uint32_t *word = __stack_bottom; word < limit; ++word) {
    *word = PATTERN;
  }
}

uint32_t stack_used(void) {
  const uint32_t *word = __stack_bottom;
  while (word < __stack_top && *word == PATTERN) {
    ++word;
  }
  return (uint32_t)(__stack_top - word) * (uint32_t)sizeof *word;
}

uint32_t stack_size(void) {
  return (uint32_t)(__stack_top - __stack_bottom) * (uint32_t)sizeof *__stack_top;
}

uint32_t stack_limit(void) { return (uint32_t)(uintptr_t)__stack_bottom; }
