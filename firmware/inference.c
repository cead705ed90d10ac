/* Loading inputs, running the model, and reporting its outputs. */
#include "inference.h"

#include <stddef.h>
#include <string.h>

#include "board.h"
#include "crc32.h"
#include "output.h"
#include "parse.h"

#define POOL_PATTERN 0xa5u
#define HEX_BYTES 128u

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

static enum input_form form_of(const struct model *model) {
  return model->benchmark == NULL ? INPUT_AS_STORED : model->benchmark->form;
}

static uint32_t input_bytes(const struct model *model) {
  uint32_t bytes = 0;
  if (form_of(model) == INPUT_FLOAT32) {
    return model->inputs[0].elements * (uint32_t)sizeof(float);
  }
  for (uint32_t i = 0; i < model->input_count; ++i) {
    bytes += model->inputs[i].bytes;
  }
  return bytes;
}

/* Where byte `index` of the inputs, one after another, belongs. */
static uint8_t *input_byte(const struct model *model, uint32_t index) {
  uint32_t i = 0;
  if (form_of(model) == INPUT_FLOAT32) {
    return (uint8_t *)model->benchmark->window + index;
  }
  while (index >= model->inputs[i].bytes) {
    index -= model->inputs[i++].bytes;
  }
  return (uint8_t *)model->inputs[i].data + index;
}

/* Real numbers to stored values, halves away from zero, saturated. */
static void quantize_window(const struct model *model) {
  const struct tensor *input = &model->inputs[0];
  int8_t *stored = (int8_t *)input->data;
  for (uint32_t i = 0; i < input->elements; ++i) {
    float value = model->benchmark->window[i] / input->scale + (float)input->zero_point;
    value += value < 0.0f ? -0.5f : 0.5f;
    stored[i] = (int8_t)(value < -128.0f ? -128.0f : (value > 127.0f ? 127.0f : value));
  }
}

static void db_load(struct session *session, const char *arguments) {
  const uint32_t bytes = parse_number(&arguments);
  session->loaded = 0;
  session->expected = 0;
  if (bytes != input_bytes(session->model)) {
    put_text("e-[The model takes ");
    put_unsigned(input_bytes(session->model));
    put_line(" bytes]");
    return;
  }
  session->expected = bytes;
  put_text("m-[Expecting ");
  put_unsigned(bytes);
  put_line(" bytes]");
}

static int is_hex(const char *digits) {
  while (hex_digit(*digits) >= 0) {
    ++digits;
  }
  return *digits == '\0';
}

static uint8_t hex_byte(const char *digits) {
  return (uint8_t)(hex_digit(digits[0]) * 16 + hex_digit(digits[1]));
}

static void db_hex(struct session *session, const char *digits) {
  const uint32_t length = (uint32_t)strlen(digits);
  if (length % 2u != 0u) {
    put_line("e-[Insufficient number of hex digits]");
    return;
  }
  if (length / 2u > session->expected - session->loaded) {
    put_line("e-[More bytes than announced]");
    return;
  }
  if (!is_hex(digits)) {
    put_line("e-[Not a hex digit]");
    return;
  }
  for (uint32_t i = 0; i < length; i += 2u) {
    const uint8_t value = hex_byte(digits + i);
    *input_byte(session->model, session->loaded++) =
        form_of(session->model) == INPUT_UINT8_IMAGE ? (uint8_t)(value ^ 0x80u) : value;
  }
  if (session->loaded == session->expected) {
    if (form_of(session->model) == INPUT_FLOAT32) {
      quantize_window(session->model);
    }
    put_line("m-load-done");
  }
}

static void put_bytes(const uint8_t *data, uint32_t bytes) {
  for (uint32_t at = 0; at < bytes; at += HEX_BYTES) {
    put_text("m-hex-[");
    for (uint32_t i = at; i < bytes && i < at + HEX_BYTES; ++i) {
      put_hex(data[i], 2);
    }
    put_line("]");
  }
}

void command_db(struct session *session, char *arguments) {
  if (strncmp(arguments, "load ", 5) == 0) {
    db_load(session, arguments + 5);
  } else if (strcmp(arguments, "print") == 0) {
    for (uint32_t i = 0; i < session->model->input_count; ++i) {
      put_bytes((const uint8_t *)session->model->inputs[i].data, session->model->inputs[i].bytes);
    }
  } else {
    db_hex(session, arguments);
  }
}

void command_put(struct session *session, const char *arguments) {
  const uint32_t offset = parse_number(&arguments);
  const uint32_t bytes = (uint32_t)strlen(arguments) / 2u;
  if (offset == 0u) {
    session->loaded = 0;
    session->expected = input_bytes(session->model);
  }
  if (strlen(arguments) % 2u != 0u || !is_hex(arguments)) {
    put_line("e-[Not hex digits in pairs]");
    return;
  }
  if (offset > session->loaded || bytes > session->expected - offset) {
    put_line("e-[Beyond the inputs, or beyond what has arrived]");
    return;
  }
  for (uint32_t i = 0; i < bytes; ++i) {
    *input_byte(session->model, offset + i) = hex_byte(arguments + 2u * i);
  }
  if (session->loaded < offset + bytes) {
    session->loaded = offset + bytes;
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

/* Whether all inputs are there; says so where they are not. */
static int is_loaded(const struct session *session) {
  if (session->loaded == session->expected && session->expected == input_bytes(session->model)) {
    return 1;
  }
  put_line("e-[Inputs are not loaded]");
  return 0;
}

void command_run(struct session *session) {
  if (!is_loaded(session)) {
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
  if (!is_loaded(session)) {
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

/* Element `index` as a real number. */
static float real_value(const struct tensor *tensor, uint32_t index) {
  float value = 0.0f;
  int32_t stored = 0;
  if (tensor->dtype == TENSOR_FLOAT32) {
    memcpy(&value, (const uint8_t *)tensor->data + 4u * index, sizeof value);
    return value;
  }
  if (tensor->dtype == TENSOR_INT8) {
    stored = ((const int8_t *)tensor->data)[index];
  } else if (tensor->dtype == TENSOR_UINT8 || tensor->dtype == TENSOR_BOOL) {
    stored = ((const uint8_t *)tensor->data)[index];
  } else if (tensor->dtype == TENSOR_INT16) {
    stored = ((const int16_t *)tensor->data)[index];
  } else if (tensor->dtype == TENSOR_INT32) {
    stored = ((const int32_t *)tensor->data)[index];
  }
  const float scale = tensor->scale == 0.0f ? 1.0f : tensor->scale;
  return scale * (float)(stored - tensor->zero_point);
}

/* The mean square of what the output misses of the window: how anomalous it is. */
static float mean_square_error(const struct model *model) {
  float total = 0.0f;
  for (uint32_t i = 0; i < model->outputs[0].elements; ++i) {
    const float error = real_value(&model->outputs[0], i) - model->benchmark->window[i];
    total += error * error;
  }
  return total / (float)model->outputs[0].elements;
}

void command_results(const struct session *session) {
  const struct tensor *tensor = &session->model->outputs[0];
  put_text("m-results-[");
  if (form_of(session->model) == INPUT_FLOAT32) {
    put_float(mean_square_error(session->model), 3);
    put_line("]");
    return;
  }
  for (uint32_t i = 0; i < tensor->elements; ++i) {
    if (i > 0u) {
      put_text(",");
    }
    put_float(real_value(tensor, i), 3);
  }
  put_line("]");
}

void command_output(const struct session *session) {
  for (uint32_t i = 0; i < session->model->output_count; ++i) {
    const struct tensor *tensor = &session->model->outputs[i];
    put_text("m-output-[");
    put_unsigned(i);
    put_text(",");
    put_unsigned(tensor->bytes);
    put_text(",");
    put_hex(crc32(0, (const uint8_t *)tensor->data, tensor->bytes), 8);
    put_line("]");
  }
}

void command_get(const struct session *session, const char *arguments) {
  const uint32_t index = parse_number(&arguments);
  const uint32_t offset = parse_number(&arguments);
  const uint32_t bytes = parse_number(&arguments);
  if (index >= session->model->output_count) {
    put_line("e-[No such output]");
    return;
  }
  const struct tensor *tensor = &session->model->outputs[index];
  if (offset > tensor->bytes || bytes > tensor->bytes - offset) {
    put_line("e-[Beyond the output]");
    return;
  }
  put_bytes((const uint8_t *)tensor->data + offset, bytes);
}

void command_crc(const struct session *session) {
  uint32_t crc = 0;
  for (uint32_t i = 0; i < session->model->input_count; ++i) {
    const struct tensor *tensor = &session->model->inputs[i];
    crc = crc32(crc, (const uint8_t *)tensor->data, tensor->bytes);
  }
  put_text("m-crc-[");
  put_hex(crc, 8);
  put_line("]");
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
