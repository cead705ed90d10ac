/* Numbers in commands. */
#ifndef PARSE_H
#define PARSE_H

#include <stdint.h>

/* Reads a decimal number at `*text` and moves past it and the blanks that follow; 0 and no
   movement where there is none. */
uint32_t parse_number(const char **text);
/* The value of a hexadecimal digit, or -1. */
int32_t hex_digit(char c);

#endif /* PARSE_H */
