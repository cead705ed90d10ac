"""Scales to fixed point, as the reference kernels prepare them."""

from __future__ import annotations

import math

import numpy as np

from aot.ir.types import DType, Quantization, TensorType
from aot.ops.node import Node


def affine(type_: TensorType) -> Quantization:
    """The quantization of a tensor that the operator's constraints require to have one."""
    assert type_.quantization is not None, "checked by the operator's constraints"
    return type_.quantization


def same_quantization(node: Node) -> bool:
    """int8: input and output must have the same scale and zero point"""
    types = [t.type for t in (*node.inputs, *node.outputs) if t is not None]
    return all(t.dtype is not DType.INT8 or t.quantization == types[0].quantization for t in types)


def quantize_multiplier(real: float) -> tuple[int, int]:
    """``real`` as (multiplier, shift): real = multiplier / 2**31 * 2**shift.

    The multiplier is 0 or in [2**30, 2**31); ``real`` is a double >= 0; halves round away from
    zero (TFLite quantization_util, QuantizeMultiplier).
    """
    if real == 0.0:
        return 0, 0
    fraction, shift = math.frexp(real)
    multiplier = math.floor(fraction * (1 << 31) + 0.5)
    if multiplier == 1 << 31:
        multiplier //= 2
        shift += 1
    if shift < -31:
        return 0, 0
    if shift > 30:
        return (1 << 31) - 1, 30
    return multiplier, shift


def channel_multipliers(
    inputs: Quantization, weights: Quantization, outputs: Quantization, channels: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Multiplier and shift that rescale each channel's int32 accumulator to the output.

    The real factor is input scale * filter scale / output scale in double; a single filter
    scale serves every channel (TFLite kernel_util, PopulateConvolutionQuantizationParams).
    """
    scales = weights.scales if weights.per_channel else weights.scales * channels
    pairs = [quantize_multiplier(inputs.scale * s / outputs.scale) for s in scales]
    return tuple(m for m, _ in pairs), tuple(s for _, s in pairs)


def matrix_multipliers(
    inputs: Quantization, weights: Quantization, outputs: Quantization, rows: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The same for FULLY_CONNECTED: where one scale serves all rows, the product of the scales
    is formed in float32 (TFLite kernel_util, GetQuantizedConvolutionMultipler)."""
    if weights.per_channel:
        return channel_multipliers(inputs, weights, outputs, rows)
    product = float(np.float32(inputs.scale) * np.float32(weights.scale))
    multiplier, shift = quantize_multiplier(product / outputs.scale)
    return (multiplier,) * rows, (shift,) * rows
