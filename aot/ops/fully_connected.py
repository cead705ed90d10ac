"""FULLY_CONNECTED: rows of the input times a weight matrix, with a fused activation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from aot.ir.graph import Call
from aot.ir.op import TypeRuleError
from aot.ir.types import DType, TensorType
from aot.ops.base import Constants, KernelOp
from aot.ops.kernel import KernelBuilder
from aot.ops.node import Constraint, Node, Signature
from aot.ops.support import weighted_sum
from aot.ops.support.activation import Activation
from aot.ops.support.constraints import fused_activation, int8_weights, rank
from aot.ops.support.fused import FusedOp
from aot.ops.support.intrinsics import requantize_once
from aot.ops.support.quantization import affine, matrix_multipliers
from aot.ops.support.weighted_sum import FloatSum, IntegerSum, Rescaling, Sum


def plain_weights(node: Node) -> bool:
    """weights must be in the DEFAULT format"""
    return bool(node.options.WeightsFormat() == 0)


@dataclass(frozen=True)
class _Product(KernelOp):
    """Operand 0 holds rows of ``depth`` elements, operand 1 is [out, depth].

    The result is [rows, out]; with ``keep_num_dims`` its leading dimensions are the input's.
    """

    keep_num_dims: bool

    def infer(self, inputs: tuple[TensorType | None, ...]) -> tuple[TensorType, ...]:
        data, weights = inputs[0], inputs[1]
        assert data is not None and weights is not None, "required operands"
        out, depth = weights.shape
        if depth == 0 or data.elements % depth:
            raise TypeRuleError(f"{data.elements} elements are no rows of {depth}")
        if self.keep_num_dims and data.shape[-1:] != (depth,):
            raise TypeRuleError(f"the last dimension of {data.shape} is not {depth}")
        weighted_sum.check_bias(inputs, out)
        rows = data.shape[:-1] if self.keep_num_dims else (data.elements // depth,)
        return (TensorType((*rows, out), data.dtype),)

    def macs(self, call: Call) -> int:
        return call.outputs[0].type.elements * call.operands[1].type.shape[1]

    def _nest(self, call: Call, k: KernelBuilder, total: Sum) -> None:
        out, depth = call.operands[1].type.shape
        rows = call.operands[0].type.elements // depth
        with k.loop("row", 0, rows) as row, k.loop("oc", 0, out) as oc:
            acc = k.local("acc", total.start(oc), total.dtype)
            source, tap = k.let("source", row * depth), k.let("tap", oc * depth)
            with k.loop("i", 0, depth) as i:
                k.assign(acc, acc + total.product(source + i, tap + i))
            k.store(k.output(), row * out + oc, total.finish(acc, oc))


@dataclass(frozen=True)
class FullyConnected(_Product, FusedOp):
    """The operator of the schema; lowered as it is for float32."""

    name: ClassVar[str] = "fully_connected"
    code: ClassVar[str] = "FULLY_CONNECTED"
    versions: ClassVar[tuple[int, int]] = (1, 12)
    options_type: ClassVar[str] = "FullyConnectedOptions"
    operands: ClassVar[tuple[str, ...]] = weighted_sum.OPERANDS
    signatures: ClassVar[tuple[Signature, ...]] = weighted_sum.SIGNATURES
    constraints: ClassVar[tuple[Constraint, ...]] = (
        rank(1, "weights", 2),
        int8_weights(channel_axis=0),
        plain_weights,
        fused_activation,
    )

    @classmethod
    def read(cls, node: Node) -> tuple[FullyConnected, tuple[int, ...]]:
        op = cls(
            keep_num_dims=bool(node.options.KeepNumDims()),
            activation=Activation(node.options.FusedActivationFunction()),
        )
        return op, tuple(range(len(node.inputs)))

    def legalize(self, call: Call, constants: Constants) -> tuple[Call, ...]:
        data, weights, output = call.operands[0].type, call.operands[1].type, call.outputs[0].type
        if data.dtype is not DType.INT8:
            return (call,)
        op = QuantizedFullyConnected(
            *weighted_sum.rescaling_of(call, self.activation), keep_num_dims=self.keep_num_dims
        )
        multipliers = matrix_multipliers(
            affine(data), affine(weights), affine(output), weights.shape[0]
        )
        return (weighted_sum.rescaled(call, op, multipliers, constants),)

    def lower(self, call: Call, k: KernelBuilder) -> None:
        self._nest(call, k, FloatSum(k, self.activation))


@dataclass(frozen=True)
class QuantizedFullyConnected(_Product, Rescaling):
    """Integer product; every output's sum is rounded once."""

    name: ClassVar[str] = "quantized_fully_connected"
    operands: ClassVar[tuple[str, ...]] = weighted_sum.RESCALED_OPERANDS

    def lower(self, call: Call, k: KernelBuilder) -> None:
        self._nest(call, k, IntegerSum(k, self, requantize_once))
