/* How much of the stack has ever been used. */
#ifndef STACK_H
#define STACK_H

#include <stdint.h>

/* Fills what lies below the caller's frame with a pattern. */
void stack_paint(void);
/* Bytes from the top of the stack to the deepest that lost the pattern; 0 on a host. */
uint32_t stack_used(void);
uint32_t stack_size(void);
/* The lowest address of the stack of a bare-metal board. */
uint32_t stack_limit(void);

#endif /* STACK_H */
