/* Starts the board and serves the console for ever. */
#include "board.h"
#include "frame.h"
#include "memory.h"
#include "output.h"
#include "session.h"

/* A frame around `put` and the digits of 512 bytes, with room to spare. */
#define LINE_BYTES 1100u

int main(void) {
  static char line[LINE_BYTES];
  static struct session session;
  const struct clocks clocks = clock_init();
  memory_init();
  console_start(clocks.console_hz);
  session_start(&session, clocks.core_hz);
  put_line("m-ready");
  for (;;) {
    uint32_t length = 0;
    uint32_t overflow = 0;
    for (char byte = console_get(); byte != '%'; byte = console_get()) {
      if (byte == '\r' || byte == '\n') {
        continue;
      }
      if (length < LINE_BYTES - 1u) {
        line[length++] = byte;
      } else {
        overflow = 1;
      }
    }
    line[length] = '\0';
    if (overflow != 0u) {
      put_line("e-[Command too long]");
    } else if (line[0] == FRAME_START) {
      frame_command(&session, line);
    } else {
      session_command(&session, line);
    }
    put_line("m-ready");
  }
}
