"""Operators that only change how a tensor's elements are arranged in dimensions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from aot.ir.graph import Call
from aot.ir.op import TypeRuleError
from aot.ir.types import Data, DType, TensorType
from aot.ops.base import TfliteOp
from aot.ops.node import Constraint, Node, Signature
from aot.ops.support.quantization import same_quantization

CONSTRAINTS: tuple[Constraint, ...] = (same_quantization,)


def signatures(*operands: DType, optional: int = 0) -> tuple[Signature, ...]:
    """Any one dtype in and out, and further ``operands``."""
    kinds = (DType.INT8, DType.FLOAT32, DType.UINT8, DType.INT16, DType.INT32, DType.BOOL)
    return tuple(Signature((d, *operands), (d,), optional=optional) for d in kinds)


@dataclass(frozen=True)
class View(TfliteOp):
    """The same elements in the dimensions ``shape``."""

    constraints: ClassVar[tuple[Constraint, ...]] = CONSTRAINTS
    shape: tuple[int, ...]

    @classmethod
    def read(cls, node: Node) -> tuple[View, tuple[int, ...]]:
        return cls(node.outputs[0].type.shape), (0,)

    def infer(self, inputs: tuple[TensorType | None, ...]) -> tuple[TensorType, ...]:
        source = inputs[0]
        assert source is not None, "required operand"
        if math.prod(self.shape) != source.elements:
            raise TypeRuleError(
                f"{source.elements} elements of {source.shape} do not fill {self.shape}"
            )
        return (TensorType(self.shape, source.dtype),)

    def is_copy(self, call: Call) -> bool:
        return True

    def fold(self, call: Call, operands: tuple[Data, ...]) -> Data | None:
        return Data(self.shape, operands[0].dtype, operands[0].raw)
