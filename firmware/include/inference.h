/* The chosen model and its runs. */
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
/* `infer N [W]`: W runs to warm up, then N runs between two time stamps. */
void command_infer(struct session *session, const char *arguments);
/* One inference. */
void command_run(struct session *session);
/* What each pool has used since the model was chosen. */
void command_pools(const struct session *session);

#endif /* INFERENCE_H */
