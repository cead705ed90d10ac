"""MUL: the product of two tensors, with broadcasting and a fused activation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from aot.ir.expr import Expr
from aot.ir.graph import Call
from aot.ir.types import DType
from aot.ops.base import Constants
from aot.ops.kernel import KernelBuilder
from aot.ops.node import Constraint, Node, Signature
from aot.ops.support import scaled_sum
from aot.ops.support.activation import Activation, clamp_float, quantized_bounds
from aot.ops.support.elementwise import Elementwise
from aot.ops.support.fused import FusedOp
from aot.ops.support.intrinsics import requantize, saturate
from aot.ops.support.quantization import affine, quantize_multiplier


@dataclass(frozen=True)
class Mul(Elementwise, FusedOp):
    """The operator of the schema; lowered as it is for float32."""

    name: ClassVar[str] = "mul"
    code: ClassVar[str] = "MUL"
    versions: ClassVar[tuple[int, int]] = (1, 7)
    options_type: ClassVar[str] = "MulOptions"
    operands: ClassVar[tuple[str, ...]] = ("a", "b")
    signatures: ClassVar[tuple[Signature, ...]] = scaled_sum.SIGNATURES
    constraints: ClassVar[tuple[Constraint, ...]] = scaled_sum.CONSTRAINTS

    @classmethod
    def read(cls, node: Node) -> tuple[Mul, tuple[int, ...]]:
        return cls(activation=Activation(node.options.FusedActivationFunction())), (0, 1)

    def legalize(self, call: Call, constants: Constants) -> tuple[Call, ...]:
        output = call.outputs[0].type
        if output.dtype is not DType.INT8:
            return (call,)
        a, b = (affine(v.type) for v in call.operands)
        # The reference forms this factor in float32 (mul.cc, Prepare).
        product = np.float32(a.scale) * np.float32(b.scale)
        factor = product / np.float32(affine(output).scale)
        multiplier, shift = quantize_multiplier(float(factor))
        op = QuantizedMul(
            (a.zero_point, b.zero_point),
            affine(output).zero_point,
            multiplier,
            shift,
            quantized_bounds(self.activation, affine(output), output.dtype),
        )
        return (replace(call, op=op),)

    def lower(self, call: Call, k: KernelBuilder) -> None:
        self.nest(call, k, lambda a, b: clamp_float(a * b, self.activation))


@dataclass(frozen=True)
class QuantizedMul(Elementwise):
    """The integer product, rounded twice. ``zeros`` belong to the operands; ``bounds`` are the
    stored values that the result is clamped to."""

    name: ClassVar[str] = "quantized_mul"
    operands: ClassVar[tuple[str, ...]] = ("a", "b")
    zeros: tuple[int, int]
    output_zero: int
    multiplier: int
    shift: int
    bounds: tuple[int, int]

    def lower(self, call: Call, k: KernelBuilder) -> None:
        def element(a: Expr, b: Expr) -> Expr:
            product = (a.cast(DType.INT32) - self.zeros[0]) * (b.cast(DType.INT32) - self.zeros[1])
            scaled = requantize(product, self.multiplier, self.shift) + self.output_zero
            return saturate(scaled, self.bounds, DType.INT8)

        self.nest(call, k, element)
