"""SOFTMAX: exp(beta x) over its sum, along the last axis."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from aot.ir.expr import Expr, Intrinsic, Scalar, imm, maximum, minimum, select
from aot.ir.graph import Call
from aot.ir.types import DType, TensorType
from aot.ops.base import Constants, KernelOp, TfliteOp
from aot.ops.kernel import KernelBuilder
from aot.ops.node import Constraint, Node, Signature
from aot.ops.support.constraints import int8_per_tensor
from aot.ops.support.fixed_point import exp_negative, high_multiply
from aot.ops.support.intrinsics import saturate
from aot.ops.support.quantization import affine, quantize_multiplier

_DIFF_BITS = 5
_SUM_BITS = 12


def short_rows(node: Node) -> bool:
    """int8: the last axis must have fewer than 4096 elements, or the sum overflows"""
    source = node.operand(0).type
    return source.dtype is not DType.INT8 or source.shape[-1:] < (1 << _SUM_BITS,)


def has_axis(node: Node) -> bool:
    """input must have at least 1 dimension"""
    return node.operand(0).type.rank >= 1


def unit_output(node: Node) -> bool:
    """int8: output scale must be 1/256 and its zero point -128"""
    output = node.outputs[0].type
    quantization = output.quantization
    return output.dtype is not DType.INT8 or (
        quantization is not None
        and abs(quantization.scale - 1 / 256) < 0.001 / 256
        and quantization.zero_point == -128
    )


@dataclass(frozen=True)
class _Rows(KernelOp):
    """The result has the shape of the operand; each row of its last axis stands alone."""

    def infer(self, inputs: tuple[TensorType | None, ...]) -> tuple[TensorType, ...]:
        assert inputs[0] is not None, "required operand"
        return (inputs[0].plain(),)


@dataclass(frozen=True)
class Softmax(_Rows, TfliteOp):
    """The operator of the schema; lowered as it is for float32."""

    name: ClassVar[str] = "softmax"
    code: ClassVar[str] = "SOFTMAX"
    versions: ClassVar[tuple[int, int]] = (1, 3)
    options_type: ClassVar[str] = "SoftmaxOptions"
    signatures: ClassVar[tuple[Signature, ...]] = (
        Signature((DType.INT8,), (DType.INT8,)),
        Signature((DType.FLOAT32,), (DType.FLOAT32,)),
    )
    constraints: ClassVar[tuple[Constraint, ...]] = (
        has_axis,
        int8_per_tensor,
        short_rows,
        unit_output,
    )
    beta: float

    @classmethod
    def read(cls, node: Node) -> tuple[Softmax, tuple[int, ...]]:
        return cls(float(node.options.Beta())), (0,)

    def legalize(self, call: Call, constants: Constants) -> tuple[Call, ...]:
        if call.outputs[0].type.dtype is not DType.INT8:
            return (call,)
        table = _exponentials(self.beta, affine(call.operands[0].type).scale)
        exps = constants.add(f"{call.outputs[0].name}/exp", table, DType.INT32)
        return (replace(call, op=QuantizedSoftmax(), inputs=(call.operands[0], exps)),)

    def lower(self, call: Call, k: KernelBuilder) -> None:
        depth = call.operands[0].type.shape[-1]
        f32 = DType.FLOAT32
        with k.loop("row", 0, call.operands[0].type.elements // depth) as row:
            first = k.let("first", row * depth)
            top = k.local("top", k.load(k.input(0), first), f32)
            with k.loop("i", 1, depth) as i:
                k.assign(top, maximum(top, k.load(k.input(0), first + i)))
            total = k.local("total", 0.0, f32)
            with k.loop("i", 0, depth) as i:
                scaled = (k.load(k.input(0), first + i) - top) * self.beta
                e = k.let("e", Intrinsic("exp", (scaled,), f32))
                k.store(k.output(), first + i, e)
                k.assign(total, total + e)
            with k.loop("i", 0, depth) as i:
                k.store(k.output(), first + i, k.load(k.output(), first + i) / total)


@dataclass(frozen=True)
class QuantizedSoftmax(_Rows):
    """Fixed point: operand 1 holds exp of every distance from the row's maximum, with no integer
    bits; its last entry, zero, serves all larger distances."""

    name: ClassVar[str] = "quantized_softmax"
    operands: ClassVar[tuple[str, ...]] = ("input", "exp")

    def lower(self, call: Call, k: KernelBuilder) -> None:
        depth = call.operands[0].type.shape[-1]
        last = call.operands[1].type.elements - 1

        def element(index: Scalar) -> Expr:
            return k.load_as(DType.INT32, k.input(0), index)

        def exponential(index: Scalar) -> Expr:
            return k.load(k.input(1), minimum(top - element(index), last))

        with k.loop("row", 0, call.operands[0].type.elements // depth) as row:
            first = k.let("first", row * depth)
            top = k.local("top", element(first))
            with k.loop("i", 1, depth) as i:
                k.assign(top, maximum(top, element(first + i)))
            total = k.local("total", 0)
            with k.loop("i", 0, depth) as i:
                part = _call("rounding_shift_right", exponential(first + i), imm(_SUM_BITS))
                k.assign(total, total + part)
            # total = (1 + fraction) * 2**(31 - zeros) with fraction in [0, 1)
            zeros = k.let("zeros", _call("leading_zeros", total))
            fraction = _call("fraction_below_top_bit", total, zeros)
            scale = k.let("scale", _call("reciprocal", fraction))
            shift = k.let("shift", imm(_SUM_BITS + 31 - 8) - zeros)
            with k.loop("i", 0, depth) as i:
                product = _call("high_multiply", scale, exponential(first + i))
                # Beyond 31 bits nothing is left but zero.
                value = select(
                    shift > 31, 0, _call("rounding_shift_right", product, minimum(shift, 31))
                )
                k.store(k.output(), first + i, saturate(value - 128, (-128, 127), DType.INT8))


def _call(name: str, *args: Expr) -> Expr:
    return Intrinsic(name, args, DType.INT32)


def _exponentials(beta: float, scale: float) -> list[int]:
    """exp(-beta * scale * distance) * 2**31 for distance 0, 1, ..., up to the first zero.

    Distances are rescaled to 5 integer bits; those that would not fit count as zero (TFLite
    quantization_util, PreprocessSoftmaxScaling and CalculateInputRadius).
    """
    real = min(float(np.float32(beta)) * scale * (1 << (31 - _DIFF_BITS)), (1 << 31) - 1.0)
    multiplier, shift = quantize_multiplier(real)
    radius = math.floor(((1 << _DIFF_BITS) - 1) * (1 << (31 - _DIFF_BITS)) / (1 << shift))
    exps = [
        exp_negative(high_multiply(-distance << shift, multiplier), _DIFF_BITS)
        for distance in range(min(radius, 255) + 1)
    ]
    return [*exps, 0] if len(exps) < 256 else exps
