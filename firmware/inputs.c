/* Bringing inputs to the model, in the form that its benchmark sends them where it has one. */
#include "inputs.h"

#include <string.h>

#include "crc32.h"
#include "output.h"
#include "parse.h"

enum input_form input_form_of(const struct model *model) {
  return model->benchmark == NULL ? INPUT_AS_STORED : model->benchmark->form;
}

static uint32_t input_bytes(const struct model *model) {
  uint32_t bytes = 0;
  if (input_form_of(model) == INPUT_FLOAT32) {
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
  if (input_form_of(model) == INPUT_FLOAT32) {
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

static int is_hex(const char *digits) {
  while (hex_digit(*digits) >= 0) {
    ++digits;
  }
  return *digits == '\0';
}

static uint8_t hex_byte(const char *digits) {
  return (uint8_t)(hex_digit(digits[0]) * 16 + hex_digit(digits[1]));
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
        input_form_of(session->model) == INPUT_UINT8_IMAGE ? (uint8_t)(value ^ 0x80u) : value;
  }
  if (session->loaded == session->expected) {
    if (input_form_of(session->model) == INPUT_FLOAT32) {
      quantize_window(session->model);
    }
    put_line("m-load-done");
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

int inputs_loaded(const struct session *session) {
  if (session->loaded == session->expected && session->expected == input_bytes(session->model)) {
    return 1;
  }
  put_line("e-[Inputs are not loaded]");
  return 0;
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
