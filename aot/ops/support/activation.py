"""Fused activations of the TFLite schema and the ranges they clamp to."""

from __future__ import annotations

from enum import Enum

import numpy as np

from aot.ir.expr import Expr, maximum, minimum
from aot.ir.types import DType, Quantization


class Activation(Enum):
    """ActivationFunctionType of the schema, by its number there."""

    NONE = 0
    RELU = 1
    RELU_N1_TO_1 = 2
    RELU6 = 3
    TANH = 4
    SIGN_BIT = 5


CLAMPING = (Activation.NONE, Activation.RELU, Activation.RELU_N1_TO_1, Activation.RELU6)
"""The activations that the reference kernels can fuse."""

_BOUNDS: dict[Activation, tuple[float | None, float | None]] = {
    Activation.NONE: (None, None),
    Activation.RELU: (0.0, None),
    Activation.RELU_N1_TO_1: (-1.0, 1.0),
    Activation.RELU6: (0.0, 6.0),
}


def combine(first: Activation, second: Activation) -> Activation | None:
    """One activation that equals ``second`` after ``first``, None where there is none."""
    if first is Activation.NONE or first is second:
        return second
    if (first, second) == (Activation.RELU, Activation.RELU6):
        return second
    if second in (Activation.NONE, Activation.RELU) and first in (
        Activation.RELU,
        Activation.RELU6,
    ):
        return first
    return None


def clamp_float(value: Expr, activation: Activation) -> Expr:
    """``value`` (float32) limited to the activation's range."""
    low, high = _BOUNDS[activation]
    if low is not None:
        value = maximum(value, low)
    if high is not None:
        value = minimum(value, high)
    return value


def quantized_bounds(
    activation: Activation, quantization: Quantization, dtype: DType
) -> tuple[int, int]:
    """Stored values that the activation clamps a quantized tensor to.

    A bound is zero_point + round(bound / scale) in float32, halves away from zero, within the
    dtype's range (TFLite kernel_util, CalculateActivationRangeQuantized).
    """
    lowest, highest = dtype.bounds
    low, high = _BOUNDS[activation]
    return (
        lowest if low is None else max(lowest, _stored(low, quantization)),
        highest if high is None else min(highest, _stored(high, quantization)),
    )


def _stored(real: float, quantization: Quantization) -> int:
    ratio = np.float32(real) / np.float32(quantization.scale)
    rounded = np.floor(np.abs(ratio) + np.float32(0.5)) * np.sign(ratio)
    return quantization.zero_point + int(rounded)
