/* Text on the console. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdint.h>

/* Begins a checksum over all that is put, carriage returns left out. */
void checksum_start(void);
uint32_t checksum(void);

void put_text(const char *text);
void put_line(const char *text);
void put_unsigned(uint64_t value);
void put_signed(int64_t value);
void put_hex(uint32_t value, uint32_t digits);
/* A float32 with `decimals` digits after the point; magnitudes from 2**63 print as such. */
void put_float(float value, uint32_t decimals);

/* Bytes as `m-hex-[...]` lines. */
void put_bytes(const uint8_t *data, uint32_t bytes);

#endif /* OUTPUT_H */
