"""AVERAGE_POOL_2D: the mean of each window, over the taps that lie inside the image."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from aot.ir.expr import Expr, imm, select
from aot.ir.graph import Call
from aot.ir.types import DType
from aot.ops.kernel import KernelBuilder
from aot.ops.support.activation import clamp_float
from aot.ops.support.intrinsics import saturate
from aot.ops.support.pooling import FusedPooling, Pooling


@dataclass(frozen=True)
class AveragePool2D(FusedPooling):
    """The operator of the schema; lowered as it is for float32."""

    name: ClassVar[str] = "average_pool_2d"
    code: ClassVar[str] = "AVERAGE_POOL_2D"
    versions: ClassVar[tuple[int, int]] = (1, 3)

    def integer_form(self, bounds: tuple[int, int]) -> Pooling:
        return QuantizedAveragePool2D(self.size, self.stride, self.padding, bounds)

    def lower(self, call: Call, k: KernelBuilder) -> None:
        self.nest(
            call,
            k,
            imm(0.0, DType.FLOAT32),
            step=lambda acc, element: acc + element,
            finish=lambda acc, count: clamp_float(acc / count.cast(DType.FLOAT32), self.activation),
        )


@dataclass(frozen=True)
class QuantizedAveragePool2D(Pooling):
    """Stored values averaged, halves rounded away from zero, clamped to ``bounds``."""

    name: ClassVar[str] = "quantized_average_pool_2d"
    bounds: tuple[int, int]

    def lower(self, call: Call, k: KernelBuilder) -> None:
        def finish(acc: Expr, taps: Expr) -> Expr:
            count = k.let("count", taps)
            half = count // 2
            mean = select(acc > 0, acc + half, acc - half) // count
            return saturate(mean, self.bounds, DType.INT8)

        self.nest(call, k, imm(0), step=lambda acc, element: acc + element, finish=finish)
