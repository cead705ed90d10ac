/* The outputs of the chosen model. */
#ifndef RESULTS_H
#define RESULTS_H

#include "inference.h"

/* The first output as real numbers, or what its benchmark makes of it. */
void command_results(const struct session *session);
/* Sizes and checksums of the outputs. */
void command_output(const struct session *session);
/* `get INDEX OFFSET BYTES`: a part of an output. */
void command_get(const struct session *session, const char *arguments);

#endif /* RESULTS_H */
