"""RELU, RELU_N1_TO_1 and RELU6 as operators of their own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from aot.ir.graph import Call
from aot.ir.types import DType
from aot.ops.base import Constants, TfliteOp
from aot.ops.kernel import KernelBuilder
from aot.ops.node import Constraint, Node, Signature
from aot.ops.requantize import Requantize
from aot.ops.support.activation import Activation, clamp_float, quantized_bounds
from aot.ops.support.constraints import int8_per_tensor
from aot.ops.support.elementwise import Elementwise
from aot.ops.support.quantization import affine, quantize_multiplier


@dataclass(frozen=True)
class _Clamp(Elementwise, TfliteOp):
    """Lowered as it is for float32."""

    signatures: ClassVar[tuple[Signature, ...]] = (
        Signature((DType.INT8,), (DType.INT8,)),
        Signature((DType.FLOAT32,), (DType.FLOAT32,)),
    )
    constraints: ClassVar[tuple[Constraint, ...]] = (int8_per_tensor,)
    activation: ClassVar[Activation]

    @classmethod
    def read(cls, node: Node) -> tuple[_Clamp, tuple[int, ...]]:
        return cls(), (0,)

    def as_activation(self) -> Activation:
        return self.activation

    def legalize(self, call: Call, constants: Constants) -> tuple[Call, ...]:
        source, output = call.operands[0].type, call.outputs[0].type
        if output.dtype is not DType.INT8:
            return (call,)
        # The reference forms this factor in float32 (activations.cc, ReluPrepare).
        factor = np.float32(affine(source).scale) / np.float32(affine(output).scale)
        multiplier, shift = quantize_multiplier(float(factor))
        bounds = quantized_bounds(self.activation, affine(output), output.dtype)
        op = Requantize(
            affine(source).zero_point, affine(output).zero_point, multiplier, shift, bounds
        )
        return (replace(call, op=op),)

    def lower(self, call: Call, k: KernelBuilder) -> None:
        self.nest(call, k, lambda a: clamp_float(a, self.activation))


@dataclass(frozen=True)
class Relu(_Clamp):
    """max(x, 0)."""

    name: ClassVar[str] = "relu"
    code: ClassVar[str] = "RELU"
    versions: ClassVar[tuple[int, int]] = (1, 3)
    activation: ClassVar[Activation] = Activation.RELU


@dataclass(frozen=True)
class ReluN1To1(_Clamp):
    """x limited to [-1, 1]."""

    name: ClassVar[str] = "relu_n1_to_1"
    code: ClassVar[str] = "RELU_N1_TO_1"
    versions: ClassVar[tuple[int, int]] = (1, 1)
    signatures: ClassVar[tuple[Signature, ...]] = (Signature((DType.FLOAT32,), (DType.FLOAT32,)),)
    constraints: ClassVar[tuple[Constraint, ...]] = ()
    activation: ClassVar[Activation] = Activation.RELU_N1_TO_1


@dataclass(frozen=True)
class Relu6(_Clamp):
    """x limited to [0, 6]."""

    name: ClassVar[str] = "relu6"
    code: ClassVar[str] = "RELU6"
    versions: ClassVar[tuple[int, int]] = (1, 3)
    activation: ClassVar[Activation] = Activation.RELU6
