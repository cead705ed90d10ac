/* Text on the console. */
#include "output.h"

#include "board.h"
#include "crc32.h"

#define HEX_BYTES 128u

static uint32_t crc;

void checksum_start(void) { crc = 0; }

uint32_t checksum(void) { return crc; }

static void put(char byte) {
  if (byte != '\r') {
    crc = crc32(crc, (const uint8_t *)&byte, 1);
  }
  console_put(byte);
}

void put_text(const char *text) {
  while (*text != '\0') {
    put(*text++);
  }
}

void put_line(const char *text) {
  put_text(text);
  put_text("\r\n");
}

void put_unsigned(uint64_t value) {
  char digits[20];
  uint32_t count = 0;
  do {
    digits[count++] = (char)('0' + (char)(value % 10u));
    value /= 10u;
  } while (value != 0u);
  while (count > 0u) {
    put(digits[--count]);
  }
}

void put_signed(int64_t value) {
  if (value < 0) {
    put('-');
    put_unsigned((uint64_t)0 - (uint64_t)value);
  } else {
    put_unsigned((uint64_t)value);
  }
}

void put_hex(uint32_t value, uint32_t digits) {
  while (digits > 0u) {
    --digits;
    put("0123456789abcdef"[(value >> (4u * digits)) & 0xfu]);
  }
}

void put_float(float value, uint32_t decimals) {
  if (value != value) {
    put_text("nan");
    return;
  }
  if (value < 0.0f) {
    put('-');
    value = -value;
  }
  if (value >= 9223372036854775808.0f) {
    put_text("9223372036854775808");
    return;
  }
  uint64_t scale = 1;
  for (uint32_t i = 0; i < decimals; ++i) {
    scale *= 10u;
  }
  uint64_t whole = (uint64_t)value;
  uint64_t rest = (uint64_t)((value - (float)whole) * (float)scale + 0.5f);
  if (rest >= scale) {
    ++whole;
    rest = 0;
  }
  put_unsigned(whole);
  put('.');
  for (scale /= 10u; scale > 0u; scale /= 10u) {
    put((char)('0' + (char)(rest / scale % 10u)));
  }
}

void put_bytes(const uint8_t *data, uint32_t bytes) {
  for (uint32_t at = 0; at < bytes; at += HEX_BYTES) {
    put_text("m-hex-[");
    for (uint32_t i = at; i < bytes && i < at + HEX_BYTES; ++i) {
      put_hex(data[i], 2);
    }
    put_line("]");
  }
}
