/* Reporting the outputs, as real numbers and as they are stored. */
#include "results.h"

#include <string.h>

#include "crc32.h"
#include "inputs.h"
#include "output.h"
#include "parse.h"

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
  if (input_form_of(session->model) == INPUT_FLOAT32) {
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
