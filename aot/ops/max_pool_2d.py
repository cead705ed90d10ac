"""MAX_POOL_2D: the largest element of each window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from aot.ir.expr import imm, maximum
from aot.ir.graph import Call
from aot.ir.types import DType
from aot.ops.base import Constants
from aot.ops.kernel import KernelBuilder
from aot.ops.node import Constraint, Node, Signature
from aot.ops.support import pooling
from aot.ops.support.activation import clamp_float, quantized_bounds
from aot.ops.support.fused import FusedOp
from aot.ops.support.intrinsics import saturate
from aot.ops.support.pooling import Pooling
from aot.ops.support.quantization import affine

_LOWEST = -3.4028234663852886e38
"""The lowest finite float32, below every element of a window."""


@dataclass(frozen=True)
class MaxPool2D(Pooling, FusedOp):
    """The operator of the schema; lowered as it is for float32."""

    name: ClassVar[str] = "max_pool_2d"
    code: ClassVar[str] = "MAX_POOL_2D"
    versions: ClassVar[tuple[int, int]] = (1, 3)
    options_type: ClassVar[str] = pooling.OPTIONS
    signatures: ClassVar[tuple[Signature, ...]] = pooling.SIGNATURES
    constraints: ClassVar[tuple[Constraint, ...]] = pooling.CONSTRAINTS

    @classmethod
    def read(cls, node: Node) -> tuple[MaxPool2D, tuple[int, ...]]:
        size, stride, padding, activation = pooling.geometry(node)
        return cls(size, stride, padding, activation=activation), (0,)

    def legalize(self, call: Call, constants: Constants) -> tuple[Call, ...]:
        output = call.outputs[0].type
        if output.dtype is not DType.INT8:
            return (call,)
        bounds = quantized_bounds(self.activation, affine(output), output.dtype)
        op = QuantizedMaxPool2D(self.size, self.stride, self.padding, bounds)
        return (Call(op, call.inputs, call.outputs, call.origin),)

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
