"""Any core with a C99 compiler: portable intrinsics and the operators' own loops."""

from __future__ import annotations

from aot.ir.intrinsics import IntrinsicDefinition, IntrinsicSignature
from aot.ir.target import Target
from aot.ir.types import DType
from aot.passes.annotate_used_memory import AnnotateUsedMemory
from aot.passes.convert_for_loops_to_serial import ConvertForLoopsToSerial
from aot.targets.base import DefaultStrategy, TargetKind

_I32, _F32 = DType.INT32, DType.FLOAT32

_HIGH_MULTIPLY = IntrinsicDefinition(
    IntrinsicSignature("high_multiply", (_I32, _I32), _I32),
    """\
/* a * b / 2**31, rounded to nearest with halves up; saturates where a == b == INT32_MIN. */
static inline int32_t $high_multiply(int32_t a, int32_t b) {
  const int64_t product = (int64_t)a * b;
  if (product == ((int64_t)1 << 62)) {
    return INT32_MAX;
  }
  return (int32_t)((product + ((int64_t)1 << 30)) >> 31);
}
""",
)

_ROUNDING_SHIFT = IntrinsicDefinition(
    IntrinsicSignature("rounding_shift_right", (_I32, _I32), _I32),
    """\
/* value / 2**shift for shift in 0..31, rounded to nearest with halves away from zero. */
static inline int32_t $rounding_shift_right(int32_t value, int32_t shift) {
  const int32_t mask = (int32_t)(((int64_t)1 << shift) - 1);
  const int32_t remainder = value & mask;
  const int32_t threshold = (mask >> 1) + (value < 0 ? 1 : 0);
  return (value >> shift) + (remainder > threshold ? 1 : 0);
}
""",
)

_REQUANTIZE = IntrinsicDefinition(
    IntrinsicSignature("requantize", (_I32, _I32, _I32), _I32),
    """\
/* value * multiplier / 2**31 * 2**shift, rounded by the multiply and again by the shift. */
static inline int32_t $requantize(int32_t value, int32_t multiplier, int32_t shift) {
  const int32_t left = shift > 0 ? shift : 0;
  const int32_t scaled = (int32_t)((uint32_t)value << left);
  return $rounding_shift_right($high_multiply(scaled, multiplier), left - shift);
}
""",
    requires=("high_multiply", "rounding_shift_right"),
)

_REQUANTIZE_ONCE = IntrinsicDefinition(
    IntrinsicSignature("requantize_once", (_I32, _I32, _I32), _I32),
    """\
/* value * multiplier / 2**31 * 2**shift for shift in -31..30, rounded once with halves up. */
static inline int32_t $requantize_once(int32_t value, int32_t multiplier, int32_t shift) {
  const int32_t total = 31 - shift;
  const int64_t half = (int64_t)1 << (total - 1);
  return (int32_t)(((int64_t)value * multiplier + half) >> total);
}
""",
)

_RECIPROCAL = IntrinsicDefinition(
    IntrinsicSignature("reciprocal", (_I32,), _I32),
    """\
/* 1 / (1 + a / 2**31) for a >= 0 as a fraction of 2**31: three Newton-Raphson steps from the
   linear estimate 48/17 - 32/17 d, d = (1 + a) / 2 in [1/2, 1], in fixed point with two
   integer bits. */
static inline int32_t $reciprocal(int32_t a) {
  const int32_t half = (int32_t)(((int64_t)a + INT32_MAX + 1) / 2);
  int32_t x = 1515870810 + $high_multiply(half, -1010580540);
  for (int32_t step = 0; step < 3; ++step) {
    const int32_t error = ((int32_t)1 << 29) - $high_multiply(half, x);
    x += $high_multiply(x, error) * 4;
  }
  return x > INT32_MAX / 2 ? INT32_MAX : x * 2;
}
""",
    requires=("high_multiply",),
)

_LEADING_ZEROS = IntrinsicDefinition(
    IntrinsicSignature("leading_zeros", (_I32,), _I32),
    """\
/* Zero bits above the highest set bit of a positive value. */
static inline int32_t $leading_zeros(int32_t value) {
  int32_t count = 0;
  uint32_t bits = (uint32_t)value;
  for (int32_t step = 16; step > 0; step /= 2) {
    if ((bits >> (32 - step)) == 0u) {
      count += step;
      bits <<= step;
    }
  }
  return count;
}
""",
)

_FRACTION = IntrinsicDefinition(
    IntrinsicSignature("fraction_below_top_bit", (_I32, _I32), _I32),
    """\
/* f * 2**31 where value = (1 + f) * 2**(31 - zeros) and zeros counts value's leading zeros. */
static inline int32_t $fraction_below_top_bit(int32_t value, int32_t zeros) {
  return (int32_t)(((uint32_t)value << zeros) - ((uint32_t)1 << 31));
}
""",
)

_EXP = IntrinsicDefinition(
    IntrinsicSignature("exp", (_F32,), _F32),
    """\
/* e**x = 2**n * e**r with |r| <= ln(2) / 2: ln 2 in two parts keeps r exact, the Taylor
   polynomial of degree 7 keeps e**r within 1e-8, and 2**n is applied in two factors so that
   subnormal results come out right. */
static inline float $exp(float x) {
  if (!(x < 89.0f)) {
    return x * 3.4028234e38f;
  }
  if (x < -104.0f) {
    return 0.0f;
  }
  const int32_t n = (int32_t)(x * 1.44269504f + (x < 0.0f ? -0.5f : 0.5f));
  const float r = (x - (float)n * 0.693359375f) + (float)n * 2.12194440e-4f;
  float p = 1.98412698e-4f;
  p = p * r + 1.38888889e-3f;
  p = p * r + 8.33333333e-3f;
  p = p * r + 4.16666667e-2f;
  p = p * r + 1.66666667e-1f;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  const int32_t first = n / 2;
  const uint32_t bits[2] = {(uint32_t)(first + 127) << 23, (uint32_t)(n - first + 127) << 23};
  float scale[2];
  memcpy(scale, bits, sizeof scale);
  return p * scale[0] * scale[1];
}
""",
)

_LOGISTIC = IntrinsicDefinition(
    IntrinsicSignature("logistic", (_F32,), _F32),
    """\
/* 1 / (1 + e**-x), arranged so that the exponential never overflows. */
static inline float $logistic(float x) {
  if (x < 0.0f) {
    const float e = $exp(x);
    return e / (1.0f + e);
  }
  return 1.0f / (1.0f + $exp(-x));
}
""",
    requires=("exp",),
)

_TANH = IntrinsicDefinition(
    IntrinsicSignature("tanh", (_F32,), _F32),
    """\
/* Near zero, where 1 - 2 / (e**2x + 1) cancels, the Taylor polynomial of degree 11. */
static inline float $tanh(float x) {
  const float magnitude = x < 0.0f ? -x : x;
  if (magnitude < 0.4f) {
    const float s = x * x;
    float p = -8.86323552e-3f;
    p = p * s + 2.18694885e-2f;
    p = p * s - 5.39682540e-2f;
    p = p * s + 1.33333333e-1f;
    p = p * s - 3.33333333e-1f;
    return x + x * s * p;
  }
  const float t = 1.0f - 2.0f / ($exp(magnitude > 44.0f ? 88.0f : 2.0f * magnitude) + 1.0f);
  return x < 0.0f ? -t : (x == x ? t : x);
}
""",
    requires=("exp",),
)

_ROUND = IntrinsicDefinition(
    IntrinsicSignature("round_to_int32", (_F32,), _I32),
    """\
/* x rounded to nearest with halves away from zero, limited to +-2**30; 0 for NaN. */
static inline int32_t $round_to_int32(float x) {
  const float limit = 1073741824.0f;
  const float bounded = x > limit ? limit : (x < -limit ? -limit : x);
  const int32_t whole = bounded == bounded ? (int32_t)bounded : 0;
  const float rest = bounded - (float)whole;
  return whole + (rest >= 0.5f ? 1 : 0) - (rest <= -0.5f ? 1 : 0);
}
""",
)

INTRINSICS = (
    _HIGH_MULTIPLY,
    _ROUNDING_SHIFT,
    _REQUANTIZE,
    _REQUANTIZE_ONCE,
    _LEADING_ZEROS,
    _FRACTION,
    _RECIPROCAL,
    _EXP,
    _LOGISTIC,
    _TANH,
    _ROUND,
)

SCALAR = TargetKind(
    Target("scalar"),
    INTRINSICS,
    strategies=(DefaultStrategy(),),
    passes=(ConvertForLoopsToSerial(), AnnotateUsedMemory()),
)
