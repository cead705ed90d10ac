"""MAX_POOL_2D: the largest element of each window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from aot.ir.expr import imm, maximum
from aot.ir.graph import Call
from aot.ir.types import DType
from aot.ops.kernel import KernelBuilder
from aot.ops.support.activation import clamp_float
from aot.ops.support.intrinsics import saturate
from aot.ops.support.pooling import FusedPooling, Pooling

_LOWEST = -3.4028234663852886e38
"""The lowest finite float32, below every element of a window."""


@dataclass(frozen=True)
class MaxPool2D(FusedPooling):
    """The operator of the schema; lowered as it is for float32."""

    name: ClassVar[str] = "max_pool_2d"
    code: ClassVar[str] = "MAX_POOL_2D"
    versions: ClassVar[tuple[int, int]] = (1, 3)

    def integer_form(self, bounds: tuple[int, int]) -> Pooling:
        return QuantizedMaxPool2D(self.size, self.stride, self.padding, bounds)

    def lower(self, call: Call, k: KernelBuilder) -> None:
        self.nest(
            call,
            k,
            imm(_LOWEST, DType.FLOAT32),
            step=maximum,
            finish=lambda acc, count: clamp_float(acc, self.activation),
        )


@dataclass(frozen=True)
class QuantizedMaxPool2D(Pooling):
    """The largest stored value of each window, clamped to ``bounds``."""

    name: ClassVar[str] = "quantized_max_pool_2d"
    bounds: tuple[int, int]

    def lower(self, call: Call, k: KernelBuilder) -> None:
        self.nest(
            call,
            k,
            imm(DType.INT8.bounds[0]),
            step=maximum,
            finish=lambda acc, count: saturate(acc, self.bounds, DType.INT8),
        )
