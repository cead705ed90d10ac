"""Sums of input times weight: what the convolutions and FULLY_CONNECTED share.

Operands are input, weights, optional bias; integer forms add the multiplier (int32) and the
shift (int8) of every output channel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from aot.ir.expr import Expr, Scalar
from aot.ir.graph import Call
from aot.ir.op import TypeRuleError
from aot.ir.types import DType, TensorType
from aot.ops.base import Constants, KernelOp
from aot.ops.kernel import KernelBuilder
from aot.ops.node import Signature
from aot.ops.support.activation import Activation, clamp_float, quantized_bounds
from aot.ops.support.intrinsics import saturate
from aot.ops.support.quantization import affine

OPERANDS = ("input", "weights", "bias")
RESCALED_OPERANDS = (*OPERANDS, "multiplier", "shift")
SIGNATURES = (
    Signature((DType.INT8, DType.INT8, DType.INT32), (DType.INT8,), optional=1),
    Signature((DType.FLOAT32, DType.FLOAT32, DType.FLOAT32), (DType.FLOAT32,), optional=1),
)

Rescale = Callable[[Expr, Scalar, Scalar], Expr]
"""An int32 sum times multiplier / 2**31 * 2**shift, in one of the reference's roundings."""


class Sum(Protocol):
    """How one output element comes about, whatever loops surround it."""

    def start(self, channel: Expr) -> Scalar:
        """The accumulator's first value."""

    def product(self, source: Expr, tap: Expr) -> Expr:
        """What the input and the weight at two flat indices add."""

    def finish(self, acc: Expr, channel: Expr) -> Expr:
        """The stored value of a finished sum."""

    @property
    def dtype(self) -> DType:
        """The accumulator's dtype."""


@dataclass(frozen=True)
class FloatSum:
    """float32: the bias comes last, then the activation, as in the reference kernels."""

    k: KernelBuilder
    activation: Activation
    dtype: DType = DType.FLOAT32

    def start(self, channel: Expr) -> Scalar:
        return 0.0

    def product(self, source: Expr, tap: Expr) -> Expr:
        return self.k.load(self.k.input(0), source) * self.k.load(self.k.input(1), tap)

    def finish(self, acc: Expr, channel: Expr) -> Expr:
        biased = acc + self.k.load(self.k.input(2), channel) if self.k.has_input(2) else acc
        return clamp_float(biased, self.activation)


@dataclass(frozen=True)
class Rescaling(KernelOp):
    """Fields of the integer forms: the zero points of input and output, and the stored values
    that the result is clamped to."""

    input_zero: int
    output_zero: int
    bounds: tuple[int, int]


@dataclass(frozen=True)
class IntegerSum:
    """int32 sums of (input - input_zero) * weight on top of the bias, rescaled per channel."""

    k: KernelBuilder
    op: Rescaling
    rescale: Rescale
    dtype: DType = DType.INT32

    def start(self, channel: Expr) -> Scalar:
        return self.k.load(self.k.input(2), channel) if self.k.has_input(2) else 0

    def product(self, source: Expr, tap: Expr) -> Expr:
        value = self.k.load_as(DType.INT32, self.k.input(0), source)
        return (value - self.op.input_zero) * self.k.load_as(DType.INT32, self.k.input(1), tap)

    def finish(self, acc: Expr, channel: Expr) -> Expr:
        multiplier = self.k.load(self.k.input(3), channel)
        shift = self.k.load_as(DType.INT32, self.k.input(4), channel)
        scaled = self.rescale(acc, multiplier, shift) + self.op.output_zero
        return saturate(scaled, self.op.bounds, DType.INT8)


def rescaling_of(call: Call, activation: Activation) -> tuple[int, int, tuple[int, int]]:
    """The fields of Rescaling for an int8 call."""
    source, output = call.operands[0].type, call.outputs[0].type
    return (
        affine(source).zero_point,
        affine(output).zero_point,
        quantized_bounds(activation, affine(output), output.dtype),
    )


def rescaled(
    call: Call,
    op: Rescaling,
    multipliers: tuple[tuple[int, ...], tuple[int, ...]],
    constants: Constants,
) -> Call:
    """``call`` as the integer operator ``op``, with its multipliers and shifts as constants."""
    label = call.outputs[0].name
    bias = call.inputs[2] if len(call.inputs) > 2 else None
    tables = (
        constants.add(f"{label}/multiplier", multipliers[0], DType.INT32),
        constants.add(f"{label}/shift", multipliers[1], DType.INT8),
    )
    return replace(call, op=op, inputs=(*call.inputs[:2], bias, *tables))


def check_bias(inputs: tuple[TensorType | None, ...], channels: int) -> None:
    """Raises TypeRuleError where there is a bias that has not one element per channel."""
    bias = inputs[2] if len(inputs) > 2 else None
    if bias is not None and bias.elements != channels:
        raise TypeRuleError(f"bias has {bias.elements} elements for {channels} output channels")
