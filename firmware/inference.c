/* Choosing the model and running it. */
#include "inference.h"

#include <stddef.h>
#include <string.h>

#include "board.h"
#include "inputs.h"
#include "output.h"
#include "parse.h"
#include "results.h"

#define POOL_PATTERN 0xa5u

void select_model(struct session *session, uint32_t index) {
  const struct model *model = firmware_models[index];
  session->model = model;
  session->expected = 0;
  session->loaded = 0;
  session->ticks = 0;
  for (uint32_t i = 0; i < model->pool_count; ++i) {
    memset(model->pools[i].base, (int)POOL_PATTERN, model->pools[i].bytes);
  }
  if (model->init != NULL && model->init() != 0) {
    put_line("e-[Initialisation failed]");
  }
}

static int32_t run_once(struct session *session) {
  counter_start();
  const int32_t status = session->model->run();
  session->ticks = counter_read();
  return status;
}

static void put_lap(uint64_t ticks, uint32_t hz) {
  put_text("m-lap-us-");
  put_unsigned(ticks * 1000000u / hz);
  put_line("");
}

void command_run(struct session *session) {
  if (!inputs_loaded(session)) {
    return;
  }
  const int32_t status = run_once(session);
  put_text("m-run-[");
  put_signed(status);
  put_line("]");
}

void command_infer(struct session *session, const char *arguments) {
  const uint32_t runs = parse_number(&arguments);
  const uint32_t warm_ups = parse_number(&arguments);
  const uint32_t hz = counter_hz(session->clock_hz);
  uint64_t elapsed = 0;
  int32_t status = 0;
  if (!inputs_loaded(session)) {
    return;
  }
  put_text("m-warmup-start-");
  put_unsigned(warm_ups);
  put_line("");
  for (uint32_t i = 0; i < warm_ups && status == 0; ++i) {
    status = run_once(session);
  }
  put_line("m-warmup-done");
  put_text("m-infer-start-");
  put_unsigned(runs);
  put_line("");
  put_lap(0, hz);
  for (uint32_t i = 0; i < runs && status == 0; ++i) {
    status = run_once(session);
    elapsed += session->ticks;
  }
  put_lap(elapsed, hz);
  if (status != 0) {
    put_text("e-[Run failed with ");
    put_signed(status);
    put_line("]");
    return;
  }
  put_line("m-infer-done");
  command_results(session);
}

void command_pools(const struct session *session) {
  for (uint32_t i = 0; i < session->model->pool_count; ++i) {
    const struct pool *pool = &session->model->pools[i];
    uint32_t used = pool->bytes;
    while (used > 0u && pool->base[used - 1u] == POOL_PATTERN) {
      --used;
    }
    put_text("m-pool-[");
    put_text(pool->name);
    put_text(",");
    put_unsigned(used);
    put_text(",");
    put_unsigned(pool->bytes);
    put_line("]");
  }
}
