/* Numbers in commands. */
#include "parse.h"

uint32_t parse_number(const char **text) {
  const char *at = *text;
  uint32_t value = 0;
  while (*at >= '0' && *at <= '9' && value < 100000000u) {
    value = 10u * value + (uint32_t)(*at++ - '0');
  }
  while (*at == ' ') {
    ++at;
  }
  *text = at;
  return value;
}

int32_t hex_digit(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}
