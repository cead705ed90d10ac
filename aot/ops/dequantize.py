"""DEQUANTIZE: stored values to real ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from aot.ir.expr import Expr
from aot.ir.graph import Call
from aot.ir.types import Data, DType, TensorType
from aot.ops.base import Constants, TfliteOp
from aot.ops.kernel import KernelBuilder
from aot.ops.node import Constraint, Node, Signature
from aot.ops.support.constraints import int8_per_tensor
from aot.ops.support.elementwise import Elementwise
from aot.ops.support.quantization import affine


@dataclass(frozen=True)
class _ToFloat(Elementwise):
    """The result has the operand's shape in float32."""

    def infer(self, inputs: tuple[TensorType | None, ...]) -> tuple[TensorType, ...]:
        assert inputs[0] is not None, "required operand"
        return (TensorType(inputs[0].shape, DType.FLOAT32),)


@dataclass(frozen=True)
class Dequantize(_ToFloat, TfliteOp):
    """The operator of the schema; always legalized."""

    name: ClassVar[str] = "dequantize"
    code: ClassVar[str] = "DEQUANTIZE"
    versions: ClassVar[tuple[int, int]] = (1, 6)
    signatures: ClassVar[tuple[Signature, ...]] = (Signature((DType.INT8,), (DType.FLOAT32,)),)
    constraints: ClassVar[tuple[Constraint, ...]] = (int8_per_tensor,)

    @classmethod
    def read(cls, node: Node) -> tuple[Dequantize, tuple[int, ...]]:
        return cls(), (0,)

    def fold(self, call: Call, operands: tuple[Data, ...]) -> Data | None:
        quantization = affine(call.operands[0].type)
        centred = operands[0].array().astype(np.int32) - quantization.zero_point
        real = centred.astype(np.float32) * np.float32(quantization.scale)
        return Data.of(real, DType.FLOAT32)

    def legalize(self, call: Call, constants: Constants) -> tuple[Call, ...]:
        quantization = affine(call.operands[0].type)
        return (replace(call, op=DequantizeInt8(quantization.scale, quantization.zero_point)),)


@dataclass(frozen=True)
class DequantizeInt8(_ToFloat):
    """scale * (x - zero)."""

    name: ClassVar[str] = "dequantize_int8"
    scale: float
    zero: int

    def lower(self, call: Call, k: KernelBuilder) -> None:
        def element(a: Expr) -> Expr:
            return (a.cast(DType.INT32) - self.zero).cast(DType.FLOAT32) * self.scale

        self.nest(call, k, element)
