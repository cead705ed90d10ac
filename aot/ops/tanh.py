"""TANH: the hyperbolic tangent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from aot.ir.expr import Intrinsic
from aot.ir.graph import Call
from aot.ir.types import DType
from aot.ops.base import Constants, TfliteOp
from aot.ops.kernel import KernelBuilder
from aot.ops.lookup import tabulated
from aot.ops.node import Constraint, Node, Signature
from aot.ops.support.constraints import int8_per_tensor
from aot.ops.support.elementwise import Elementwise


@dataclass(frozen=True)
class Tanh(Elementwise, TfliteOp):
    """The operator of the schema; lowered as it is for float32, a table for int8."""

    name: ClassVar[str] = "tanh"
    code: ClassVar[str] = "TANH"
    versions: ClassVar[tuple[int, int]] = (1, 3)
    signatures: ClassVar[tuple[Signature, ...]] = (
        Signature((DType.INT8,), (DType.INT8,)),
        Signature((DType.FLOAT32,), (DType.FLOAT32,)),
    )
    constraints: ClassVar[tuple[Constraint, ...]] = (int8_per_tensor,)

    @classmethod
    def read(cls, node: Node) -> tuple[Tanh, tuple[int, ...]]:
        return cls(), (0,)

    def legalize(self, call: Call, constants: Constants) -> tuple[Call, ...]:
        return tabulated(call, np.tanh, constants)

    def lower(self, call: Call, k: KernelBuilder) -> None:
        self.nest(call, k, lambda a: Intrinsic("tanh", (a,), DType.FLOAT32))
