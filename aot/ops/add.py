"""ADD: the sum of two tensors, with broadcasting and a fused activation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from aot.ir.graph import Call
from aot.ops.base import Constants
from aot.ops.kernel import KernelBuilder
from aot.ops.node import Constraint, Node, Signature
from aot.ops.support import scaled_sum
from aot.ops.support.activation import Activation, clamp_float
from aot.ops.support.elementwise import Elementwise
from aot.ops.support.fused import FusedOp
from aot.ops.support.scaled_sum import ScaledSum


@dataclass(frozen=True)
class Add(Elementwise, FusedOp):
    """The operator of the schema; lowered as it is for float32."""

    name: ClassVar[str] = "add"
    code: ClassVar[str] = "ADD"
    versions: ClassVar[tuple[int, int]] = (1, 5)
    options_type: ClassVar[str] = "AddOptions"
    operands: ClassVar[tuple[str, ...]] = ("a", "b")
    signatures: ClassVar[tuple[Signature, ...]] = scaled_sum.SIGNATURES
    constraints: ClassVar[tuple[Constraint, ...]] = scaled_sum.CONSTRAINTS

    @classmethod
    def read(cls, node: Node) -> tuple[Add, tuple[int, ...]]:
        return cls(activation=Activation(node.options.FusedActivationFunction())), (0, 1)

    def legalize(self, call: Call, constants: Constants) -> tuple[Call, ...]:
        return scaled_sum.scaled_sum(call, QuantizedAdd, self.activation)

    def lower(self, call: Call, k: KernelBuilder) -> None:
        self.nest(call, k, lambda a, b: clamp_float(a + b, self.activation))


@dataclass(frozen=True)
class QuantizedAdd(ScaledSum):
    """The integer sum."""

    name: ClassVar[str] = "quantized_add"
    operands: ClassVar[tuple[str, ...]] = ("a", "b")

    def lower(self, call: Call, k: KernelBuilder) -> None:
        self.combined(call, k, lambda a, b: a + b)
