"""Requantize: stored values of one quantization as those of another, within bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from aot.ir.expr import Expr
from aot.ir.graph import Call
from aot.ir.types import DType
from aot.ops.kernel import KernelBuilder
from aot.ops.support.elementwise import Elementwise
from aot.ops.support.intrinsics import requantize, saturate

_ONE = (1 << 30, 1)
"""Multiplier and shift of the factor one."""


@dataclass(frozen=True)
class Requantize(Elementwise):
    """What QUANTIZE between integers and the RELUs are: rounded twice, clamped to ``bounds``."""

    name: ClassVar[str] = "requantize"
    input_zero: int
    output_zero: int
    multiplier: int
    shift: int
    bounds: tuple[int, int]

    def is_copy(self, call: Call) -> bool:
        return (
            self.input_zero == self.output_zero
            and (self.multiplier, self.shift) == _ONE
            and self.bounds == DType.INT8.bounds
        )

    def lower(self, call: Call, k: KernelBuilder) -> None:
        def element(a: Expr) -> Expr:
            centred = a.cast(DType.INT32) - self.input_zero
            scaled = requantize(centred, self.multiplier, self.shift) + self.output_zero
            return saturate(scaled, self.bounds, DType.INT8)

        self.nest(call, k, element)
