/* Frames around commands: a sequence number, a count of commands since start-up, checksums. */
#include "frame.h"

#include <string.h>

#include "crc32.h"
#include "output.h"
#include "parse.h"
#include "session.h"

#define CRC_DIGITS 8u

/* Hosts number from 1. */
static uint32_t last_sequence;
static uint32_t executed;

/* Whether `digits`, CRC_DIGITS of them and a comma, are the checksum of the sequence's text and of
   the command. */
static int is_intact(const char *sequence, uint32_t length, const char *digits) {
  if (strlen(digits) <= CRC_DIGITS || digits[CRC_DIGITS] != ',') {
    return 0;
  }
  const char *command = digits + CRC_DIGITS + 1u;
  uint32_t crc = crc32(0, (const uint8_t *)sequence, length);
  crc = crc32(crc, (const uint8_t *)command, (uint32_t)strlen(command));
  for (uint32_t i = 0; i < CRC_DIGITS; ++i) {
    if (hex_digit(digits[i]) != (int32_t)((crc >> (28u - 4u * i)) & 15u)) {
      return 0;
    }
  }
  return 1;
}

void frame_command(struct session *session, char *line) {
  char *text = line + 1;
  char *comma = strchr(text, ',');
  if (comma == NULL || !is_intact(text, (uint32_t)(comma - text), comma + 1)) {
    put_line("e-[Bad frame]");
    return;
  }
  const char *number = text;
  const uint32_t sequence = parse_number(&number);
  checksum_start();
  put_text("m-begin-[");
  put_unsigned(sequence);
  put_line("]");
  if (sequence == last_sequence) {
    put_line("m-again");
  } else {
    last_sequence = sequence;
    ++executed;
    session_command(session, comma + 1u + CRC_DIGITS + 1u);
  }
  put_text("m-end-[");
  put_unsigned(sequence);
  put_text(",");
  put_unsigned(executed);
  put_text(",");
  put_hex(checksum(), CRC_DIGITS);
  put_line("]");
}
