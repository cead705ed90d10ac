/* CRC-32 as zlib computes it: reflected polynomial 0xEDB88320, initial and final complement. */
#ifndef CRC32_H
#define CRC32_H

#include <stdint.h>

/* The checksum of `bytes` bytes after those of `crc`, which starts as 0. */
uint32_t crc32(uint32_t crc, const uint8_t *data, uint32_t bytes);

#endif /* CRC32_H */
