/* CRC-32, four bits at a time: a table of 16 entries is small and fast enough for a console. */
#include "crc32.h"

/* The checksum of each value of four bits. */
static const uint32_t table[16] = {
    0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu, 0x76dc4190u, 0x6b6b51f4u,
    0x4db26158u, 0x5005713cu, 0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
    0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu,
};

uint32_t crc32(uint32_t crc, const uint8_t *data, uint32_t bytes) {
  crc = ~crc;
  for (uint32_t i = 0; i < bytes; ++i) {
    crc ^= data[i];
    crc = table[crc & 0xfu] ^ (crc >> 4);
    crc = table[crc & 0xfu] ^ (crc >> 4);
  }
  return ~crc;
}
