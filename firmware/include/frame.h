/* Commands in frames, which a line that loses or changes bytes cannot fake. */
#ifndef FRAME_H
#define FRAME_H

#include "inference.h"

#define FRAME_START '!'

/* Runs the command in `line`, `!SEQUENCE,CRC,COMMAND`, where its checksum holds; answers between
   `m-begin-[SEQUENCE]` and `m-end-[SEQUENCE,COUNT,CRC]`. A frame with the sequence of the one
   before is answered with `m-again` and not run. `line` is changed. */
void frame_command(struct session *session, char *line);

#endif /* FRAME_H */
