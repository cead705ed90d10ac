/* Commands: the text protocol of MLPerf Tiny, with additions of the same form. */
#include "session.h"

#include <stddef.h>
#include <string.h>

#include "board.h"
#include "inference.h"
#include "inputs.h"
#include "output.h"
#include "parse.h"
#include "results.h"
#include "stack.h"

void session_start(struct session *session, uint32_t clock_hz) {
  session->model = NULL;
  session->clock_hz = clock_hz;
  if (firmware_model_count > 0u) {
    select_model(session, 0);
  }
}

static void command_name(void) {
  put_text("m-name-dut-[");
  put_text(firmware_board_name);
  put_line("]");
}

static void command_profile(const struct session *session) {
  put_line("m-profile-[microaot]");
  put_text("m-model-[");
  if (session->model == NULL) {
    put_text("none");
  } else if (session->model->benchmark != NULL) {
    put_text(session->model->benchmark->id);
  } else {
    put_text(session->model->name);
  }
  put_line("]");
}

static void command_timestamp(const struct session *session) {
  const uint64_t ticks = counter_read();
  put_text("m-lap-us-");
  put_unsigned(ticks * 1000000u / counter_hz(session->clock_hz));
  put_line("");
}

static void command_build(void) {
  put_text("m-build-[");
  put_text(firmware_build_id);
  put_text(",");
  put_text(firmware_board_name);
  put_text(",");
  put_unsigned(firmware_model_count);
  put_line("]");
}

static void command_model(struct session *session, const char *arguments) {
  const uint32_t index = parse_number(&arguments);
  if (index >= firmware_model_count) {
    put_line("e-[No such model]");
    return;
  }
  select_model(session, index);
  put_text("m-model-[");
  put_unsigned(index);
  put_text(",");
  put_text(session->model->name);
  put_text(",");
  put_text(session->model->hash);
  put_line("]");
}

static void command_ticks(const struct session *session) {
  put_text("m-ticks-[");
  put_unsigned(session->ticks);
  put_text(",");
  put_unsigned(counter_hz(session->clock_hz));
  put_line("]");
}

static void command_stack(void) {
  put_text("m-stack-[");
  put_unsigned(stack_used());
  put_text(",");
  put_unsigned(stack_size());
  put_line("]");
}

static void command_reset(const struct session *session) {
  if (session->model->reset != NULL) {
    session->model->reset();
  }
}

static void command_help(void) {
  put_line("m-help-[name% profile% timestamp% db load N% db HEX% db print% infer N [W]%]");
  put_line("m-help-[results% help% build% model N% put OFFSET HEX% crc% run% output%]");
  put_line("m-help-[get INDEX OFFSET BYTES% ticks% stack% pools% reset%]");
}

/* Whether `line` starts with the word `name`; `*arguments` is what follows it. */
static int is_command(char *line, const char *name, char **arguments) {
  const size_t length = strlen(name);
  if (strncmp(line, name, length) != 0 || (line[length] != ' ' && line[length] != '\0')) {
    return 0;
  }
  *arguments = line + length;
  while (**arguments == ' ') {
    ++*arguments;
  }
  return 1;
}

/* Commands that need a model; whether `line` was one of them. */
static int model_command(struct session *session, char *line) {
  char *arguments = NULL;
  const int known = is_command(line, "db", &arguments) || is_command(line, "infer", &arguments) ||
                    is_command(line, "results", &arguments) ||
                    is_command(line, "put", &arguments) || is_command(line, "run", &arguments) ||
                    is_command(line, "output", &arguments) || is_command(line, "get", &arguments) ||
                    is_command(line, "crc", &arguments) || is_command(line, "pools", &arguments) ||
                    is_command(line, "reset", &arguments);
  if (known && session->model == NULL) {
    put_line("e-[No model]");
    return 1;
  }
  if (is_command(line, "db", &arguments)) {
    command_db(session, arguments);
  } else if (is_command(line, "infer", &arguments)) {
    command_infer(session, arguments);
  } else if (is_command(line, "results", &arguments)) {
    command_results(session);
  } else if (is_command(line, "put", &arguments)) {
    command_put(session, arguments);
  } else if (is_command(line, "run", &arguments)) {
    command_run(session);
  } else if (is_command(line, "output", &arguments)) {
    command_output(session);
  } else if (is_command(line, "get", &arguments)) {
    command_get(session, arguments);
  } else if (is_command(line, "crc", &arguments)) {
    command_crc(session);
  } else if (is_command(line, "pools", &arguments)) {
    command_pools(session);
  } else if (is_command(line, "reset", &arguments)) {
    command_reset(session);
  }
  return known;
}

void session_command(struct session *session, char *line) {
  char *arguments = NULL;
  if (is_command(line, "name", &arguments)) {
    command_name();
  } else if (is_command(line, "profile", &arguments)) {
    command_profile(session);
  } else if (is_command(line, "timestamp", &arguments)) {
    command_timestamp(session);
  } else if (is_command(line, "help", &arguments)) {
    command_help();
  } else if (is_command(line, "build", &arguments)) {
    command_build();
  } else if (is_command(line, "model", &arguments)) {
    command_model(session, arguments);
  } else if (is_command(line, "ticks", &arguments)) {
    command_ticks(session);
  } else if (is_command(line, "stack", &arguments)) {
    command_stack();
  } else if (line[0] != '\0' && !model_command(session, line)) {
    /* An empty command is a host that ends whatever stood in the line. */
    put_line("e-[Unknown command]");
  }
}
