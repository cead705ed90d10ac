"""QUANTIZE: real or stored values to stored values of another quantization."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from aot.ir.expr import Expr, Intrinsic
from aot.ir.graph import Call
from aot.ir.types import DType, TensorType
from aot.ops.base import Constants, TfliteOp
from aot.ops.kernel import KernelBuilder
from aot.ops.node import Constraint, Node, Signature
from aot.ops.requantize import Requantize
from aot.ops.support.constraints import int8_per_tensor
from aot.ops.support.elementwise import Elementwise
from aot.ops.support.intrinsics import saturate
from aot.ops.support.quantization import affine, quantize_multiplier


@dataclass(frozen=True)
class Quantize(Elementwise, TfliteOp):
    """The operator of the schema; always legalized."""

    name: ClassVar[str] = "quantize"
    code: ClassVar[str] = "QUANTIZE"
    versions: ClassVar[tuple[int, int]] = (1, 3)
    signatures: ClassVar[tuple[Signature, ...]] = (
        Signature((DType.FLOAT32,), (DType.INT8,)),
        Signature((DType.INT8,), (DType.INT8,)),
    )
    constraints: ClassVar[tuple[Constraint, ...]] = (int8_per_tensor,)

    @classmethod
    def read(cls, node: Node) -> tuple[Quantize, tuple[int, ...]]:
        return cls(), (0,)

    def infer(self, inputs: tuple[TensorType | None, ...]) -> tuple[TensorType, ...]:
        assert inputs[0] is not None, "required operand"
        return (TensorType(inputs[0].shape, DType.INT8),)

    def legalize(self, call: Call, constants: Constants) -> tuple[Call, ...]:
        source, output = call.operands[0].type, affine(call.outputs[0].type)
        if source.dtype is DType.FLOAT32:
            return (replace(call, op=QuantizeFloat(output.scale, output.zero_point)),)
        factor = affine(source).scale / output.scale
        op = Requantize(
            affine(source).zero_point,
            output.zero_point,
            *quantize_multiplier(factor),
            DType.INT8.bounds,
        )
        return (replace(call, op=op),)


@dataclass(frozen=True)
class QuantizeFloat(Elementwise):
    """round(x / scale) + zero, halves away from zero, saturated to int8."""

    name: ClassVar[str] = "quantize_float"
    scale: float
    zero: int

    def infer(self, inputs: tuple[TensorType | None, ...]) -> tuple[TensorType, ...]:
        assert inputs[0] is not None, "required operand"
        return (TensorType(inputs[0].shape, DType.INT8),)

    def lower(self, call: Call, k: KernelBuilder) -> None:
        def element(a: Expr) -> Expr:
            rounded = Intrinsic("round_to_int32", (a / self.scale,), DType.INT32)
            return saturate(rounded + self.zero, DType.INT8.bounds, DType.INT8)

        self.nest(call, k, element)
