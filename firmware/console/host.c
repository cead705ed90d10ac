/* Console on the standard input and output of a native program (POSIX.1-2001, read and write). */
#define _POSIX_C_SOURCE 200112L
#include <stdlib.h>
#include <unistd.h>

#include "board.h"

#define BUFFER_BYTES 512u

static char written[BUFFER_BYTES];
static uint32_t pending;

static void flush(void) {
  uint32_t at = 0;
  while (at < pending) {
    const ssize_t count = write(STDOUT_FILENO, written + at, pending - at);
    if (count <= 0) {
      exit(EXIT_FAILURE);
    }
    at += (uint32_t)count;
  }
  pending = 0;
}

void console_start(uint32_t hz) { (void)hz; }

void console_put(char byte) {
  written[pending++] = byte;
  if (byte == '\n' || pending == BUFFER_BYTES) {
    flush();
  }
}

char console_get(void) {
  static char received[BUFFER_BYTES];
  static ssize_t count;
  static ssize_t next;
  if (next == count) {
    flush();
    count = read(STDIN_FILENO, received, sizeof received);
    next = 0;
    if (count <= 0) {
      exit(EXIT_SUCCESS);
    }
  }
  return received[next++];
}
