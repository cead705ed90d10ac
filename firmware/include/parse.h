/* Numbers in commands. */
#ifndef PARSE_H
#define PARSE_H

#include <stdint.h>

/* Reads a decimal number at `*text` and moves past it and the blanks that follow; 0 and no
   movement where there is none. */
uint32_t parse_number(const char **text);

#endif /* PARSE_H */
