/* On a host the operating system grows the stack, and there is nothing to see. */
#include "stack.h"

void stack_paint(void) {}

uint32_t stack_used(void) { return 0u; }

uint32_t stack_size(void) { return 0u; }
