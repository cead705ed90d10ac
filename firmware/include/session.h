/* A conversation with the host. */
#ifndef SESSION_H
#define SESSION_H

#include <stdint.h>

#include "inference.h"

void session_start(struct session *session, uint32_t clock_hz);
/* Runs one command, its `%` removed, and answers. `line` is changed. */
void session_command(struct session *session, char *line);

#endif /* SESSION_H */
