"""LOGISTIC: 1 / (1 + exp(-x))."""

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


def unit_output(node: Node) -> bool:
    """int8: output scale must be 1/256 and its zero point -128"""
    output = node.outputs[0].type
    quantization = output.quantization
    return output.dtype is not DType.INT8 or (
        quantization is not None
        and quantization.scale == 1 / 256
        and quantization.zero_point == -128
    )


@dataclass(frozen=True)
class Logistic(Elementwise, TfliteOp):
    """The operator of the schema; lowered as it is for float32, a table for int8."""

    name: ClassVar[str] = "logistic"
    code: ClassVar[str] = "LOGISTIC"
    versions: ClassVar[tuple[int, int]] = (1, 3)
    signatures: ClassVar[tuple[Signature, ...]] = (
        Signature((DType.INT8,), (DType.INT8,)),
        Signature((DType.FLOAT32,), (DType.FLOAT32,)),
    )
    constraints: ClassVar[tuple[Constraint, ...]] = (int8_per_tensor, unit_output)

    @classmethod
    def read(cls, node: Node) -> tuple[Logistic, tuple[int, ...]]:
        return cls(), (0,)

    def legalize(self, call: Call, constants: Constants) -> tuple[Call, ...]:
        return tabulated(call, lambda x: 1.0 / (1.0 + np.exp(-x)), constants)

    def lower(self, call: Call, k: KernelBuilder) -> None:
        self.nest(call, k, lambda a: Intrinsic("logistic", (a,), DType.FLOAT32))
