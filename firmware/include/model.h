/* The models of a firmware as tables, which a generated file defines. */
#ifndef MODEL_H
#define MODEL_H

#include <stdint.h>

enum tensor_dtype {
  TENSOR_BOOL = 0,
  TENSOR_INT8 = 1,
  TENSOR_UINT8 = 2,
  TENSOR_INT16 = 3,
  TENSOR_UINT16 = 4,
  TENSOR_INT32 = 5,
  TENSOR_UINT32 = 6,
  TENSOR_INT64 = 7,
  TENSOR_FLOAT16 = 8,
  TENSOR_FLOAT32 = 9,
  TENSOR_FLOAT64 = 10
};

/* An interface tensor and the buffer that holds it. */
struct tensor {
  const char *name;
  void *data;
  uint32_t bytes;
  uint32_t elements;
  enum tensor_dtype dtype;
  float scale;
  int32_t zero_point;
};

/* A workspace pool: `bytes` from `base` belong to the model during a run. */
struct pool {
  const char *name;
  uint8_t *base;
  uint32_t bytes;
};

/* How the bytes that `db` brings become an input. */
enum input_form {
  INPUT_AS_STORED = 0,
  INPUT_UINT8_IMAGE = 1, /* int8 elements that arrive as uint8, 128 too large */
  INPUT_FLOAT32 = 2      /* int8 elements that arrive as real numbers */
};

/* A model that stands for one of MLPerf Tiny's. `window` keeps the real numbers of
   INPUT_FLOAT32, one per element, and is null for the other forms. */
struct benchmark {
  const char *id;
  enum input_form form;
  float *window;
};

/* A model. `hash` is the start of its file's SHA-256; `init` and `reset` may be null. The
   functions return 0 or a code of the model's header. */
struct model {
  const char *name;
  const char *hash;
  const struct tensor *inputs;
  uint32_t input_count;
  const struct tensor *outputs;
  uint32_t output_count;
  const struct pool *pools;
  uint32_t pool_count;
  int32_t (*init)(void);
  int32_t (*run)(void);
  void (*reset)(void);
  const struct benchmark *benchmark; /* null where the model stands for itself */
};

extern const struct model *const firmware_models[];
extern const uint32_t firmware_model_count;
extern const char firmware_build_id[];
extern const char firmware_board_name[];

#endif /* MODEL_H */
