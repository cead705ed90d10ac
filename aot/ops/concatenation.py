"""CONCATENATION: tensors joined along one axis."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from aot.ir.graph import Call
from aot.ir.op import TypeRuleError
from aot.ir.types import DType, TensorType
from aot.ops.base import TfliteOp
from aot.ops.kernel import KernelBuilder
from aot.ops.node import Constraint, Node, Signature
from aot.ops.support.constraints import int8_per_tensor


def axis_exists(node: Node) -> bool:
    """the axis must be one of the inputs' dimensions"""
    rank = node.operand(0).type.rank
    return bool(-rank <= node.options.Axis() < rank)


def no_activation(node: Node) -> bool:
    """fused activation must be NONE"""
    return bool(node.options.FusedActivationFunction() == 0)


def same_quantization(node: Node) -> bool:
    """int8: every input must have the scale and zero point of the output"""
    output = node.outputs[0].type
    return output.dtype is not DType.INT8 or all(
        t is not None and t.type.quantization == output.quantization for t in node.inputs
    )


@dataclass(frozen=True)
class Concatenation(TfliteOp):
    """The operator of the schema; quantized tensors share one scale, so bytes only move."""

    name: ClassVar[str] = "concatenation"
    code: ClassVar[str] = "CONCATENATION"
    versions: ClassVar[tuple[int, int]] = (1, 3)
    options_type: ClassVar[str] = "ConcatenationOptions"
    operands: ClassVar[tuple[str, ...]] = ("part",)
    signatures: ClassVar[tuple[Signature, ...]] = tuple(
        Signature((d,), (d,), variadic=True) for d in (DType.INT8, DType.FLOAT32, DType.INT32)
    )
    constraints: ClassVar[tuple[Constraint, ...]] = (
        int8_per_tensor,
        same_quantization,
        axis_exists,
        no_activation,
    )
    axis: int

    @classmethod
    def read(cls, node: Node) -> tuple[Concatenation, tuple[int, ...]]:
        axis = node.options.Axis() % node.operand(0).type.rank
        return cls(axis), tuple(range(len(node.inputs)))

    def infer(self, inputs: tuple[TensorType | None, ...]) -> tuple[TensorType, ...]:
        shapes = [t.shape for t in inputs if t is not None]
        first, axis = shapes[0], self.axis
        rest = {(*s[:axis], *s[axis + 1 :]) for s in shapes}
        if len(rest) != 1 or {len(s) for s in shapes} != {len(first)}:
            raise TypeRuleError(f"shapes {shapes} differ beyond axis {axis}")
        joined = sum(s[axis] for s in shapes)
        assert inputs[0] is not None, "required operand"
        return (TensorType((*first[:axis], joined, *first[axis + 1 :]), inputs[0].dtype),)

    def is_copy(self, call: Call) -> bool:
        return len(call.operands) == 1

    def lower(self, call: Call, k: KernelBuilder) -> None:
        shape = call.outputs[0].type.shape
        inner = math.prod(shape[self.axis + 1 :])
        row = shape[self.axis] * inner
        before = 0
        for part in k.inputs:
            length = part.type.shape[self.axis] * inner
            with k.loop("o", 0, math.prod(shape[: self.axis])) as o, k.loop("i", 0, length) as i:
                k.store(k.output(), o * row + before + i, k.load(part, o * length + i))
            before += length
