"""Integer ADD and SUB: both operands brought to one scale with 20 more bits, then combined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from aot.ir.expr import Expr
from aot.ir.graph import Call
from aot.ir.types import DType
from aot.ops.kernel import KernelBuilder
from aot.ops.node import Signature
from aot.ops.support.activation import Activation, quantized_bounds
from aot.ops.support.constraints import fused_activation, int8_per_tensor
from aot.ops.support.elementwise import Elementwise
from aot.ops.support.intrinsics import requantize, saturate
from aot.ops.support.quantization import affine, quantize_multiplier

SIGNATURES = (
    Signature((DType.INT8, DType.INT8), (DType.INT8,)),
    Signature((DType.FLOAT32, DType.FLOAT32), (DType.FLOAT32,)),
)
CONSTRAINTS = (int8_per_tensor, fused_activation)
_LEFT_SHIFT = 20


@dataclass(frozen=True)
class ScaledSum(Elementwise):
    """``zeros``, ``multipliers`` and ``shifts`` belong to the two operands, ``output_*`` to the
    result; ``bounds`` are the stored values that it is clamped to."""

    zeros: tuple[int, int]
    multipliers: tuple[int, int]
    shifts: tuple[int, int]
    output_zero: int
    output_multiplier: int
    output_shift: int
    bounds: tuple[int, int]

    def combined(self, call: Call, k: KernelBuilder, combine: Callable[[Expr, Expr], Expr]) -> None:
        """The kernel's loops, with ``combine`` applied to the rescaled operands."""

        def scaled(value: Expr, i: int) -> Expr:
            shifted = (value.cast(DType.INT32) - self.zeros[i]) * (1 << _LEFT_SHIFT)
            return requantize(shifted, self.multipliers[i], self.shifts[i])

        def element(a: Expr, b: Expr) -> Expr:
            total = combine(scaled(a, 0), scaled(b, 1))
            result = requantize(total, self.output_multiplier, self.output_shift)
            return saturate(result + self.output_zero, self.bounds, DType.INT8)

        self.nest(call, k, element)


_Sum = TypeVar("_Sum", bound=ScaledSum)


def scaled_sum(call: Call, kind: type[_Sum], activation: Activation) -> tuple[Call, ...]:
    """An int8 ``call`` as ``kind``; other dtypes as they are.

    Operands are scaled by scale / (2 max scale) and the result by 2 max scale / (2**20 output
    scale), in double (TFLite add.cc and sub.cc, Prepare).
    """
    output = call.outputs[0].type
    if output.dtype is not DType.INT8:
        return (call,)
    first, second = (affine(v.type) for v in call.operands)
    twice = 2.0 * max(first.scale, second.scale)
    (m0, s0), (m1, s1) = (quantize_multiplier(q.scale / twice) for q in (first, second))
    multiplier, shift = quantize_multiplier(twice / ((1 << _LEFT_SHIFT) * affine(output).scale))
    op = kind(
        (first.zero_point, second.zero_point),
        (m0, m1),
        (s0, s1),
        affine(output).zero_point,
        multiplier,
        shift,
        quantized_bounds(activation, affine(output), output.dtype),
    )
    return (replace(call, op=op),)
