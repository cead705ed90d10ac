/* The chosen model: its inputs, its runs, its outputs. */
#ifndef INFERENCE_H
#define INFERENCE_H

#include <stdint.h>

#include "model.h"

struct session {
  const struct model *model; /* null where the firmware has none */
  uint32_t clock_hz;
  uint32_t expected; /* bytes of the inputs, once `db load` or `put` has begun */
  uint32_t loaded;   /* bytes that have arrived */
  uint64_t ticks;    /* of the last single inference */
};

/* Chooses model `index`: fills its pools with a pattern and copies its constants. */
void select_model(struct session *session, uint32_t index);
/* `db load N`, `db HEX`, `db print`. */
void command_db(struct session *session, char *arguments);
/* `infer N [W]`: W runs to warm up, then N runs between two time stamps. */
void command_infer(struct session *session, const char *arguments);
void command_results(const struct session *session);
/* `put OFFSET HEX`: bytes of the inputs, again as often as wanted, but leaving no gap. */
void command_put(struct session *session, const char *arguments);
/* One inference. */
void command_run(struct session *session);
/* Sizes and checksums of the outputs. */
void command_output(const struct session *session);
/* `get INDEX OFFSET BYTES`: a part of an output. */
void command_get(const struct session *session, const char *arguments);
/* The checksum of the inputs as they stand in memory. */
void command_crc(const struct session *session);
void command_pools(const struct session *session);

#endif /* INFERENCE_H */
