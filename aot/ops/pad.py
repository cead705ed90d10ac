"""PAD and PADV2: a border of one value around a tensor."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

from aot.ir.expr import Expr, imm
from aot.ir.graph import Call
from aot.ir.op import TypeRuleError
from aot.ir.types import DType, TensorType
from aot.ops.base import Constants, KernelOp, TfliteOp
from aot.ops.kernel import KernelBuilder
from aot.ops.node import Constraint, Node, Signature
from aot.ops.support.constraints import constant, int8_per_tensor
from aot.ops.support.quantization import affine, same_quantization


def paddings_fit(node: Node) -> bool:
    """paddings must be a [rank, 2] tensor of values >= 0"""
    shape = node.operand(1).type.shape
    return shape == (node.operand(0).type.rank, 2) and min(node.listed(1) or (0,)) >= 0


def value_fits(node: Node) -> bool:
    """the padding value must be one element with the quantization of the input"""
    value, source = node.operand(2).type, node.operand(0).type
    return value.elements == 1 and (
        source.dtype is not DType.INT8 or value.quantization == source.quantization
    )


def _signatures(value: bool) -> tuple[Signature, ...]:
    return tuple(
        Signature((d, paddings, *((d,) if value else ())), (d,))
        for d in (DType.INT8, DType.FLOAT32)
        for paddings in (DType.INT32, DType.INT64)
    )


@dataclass(frozen=True)
class _Border(KernelOp):
    """``before`` and ``after`` count the elements added at either end of each axis."""

    before: tuple[int, ...]
    after: tuple[int, ...]

    def infer(self, inputs: tuple[TensorType | None, ...]) -> tuple[TensorType, ...]:
        source = inputs[0]
        assert source is not None, "required operand"
        if source.rank != len(self.before):
            raise TypeRuleError(f"paddings of {len(self.before)} axes for rank {source.rank}")
        shape = tuple(
            b + n + a for b, n, a in zip(self.before, source.shape, self.after, strict=True)
        )
        return (TensorType(shape, source.dtype),)

    def is_copy(self, call: Call) -> bool:
        return not any(self.before) and not any(self.after)

    def _fill_and_copy(self, call: Call, k: KernelBuilder, value: Expr) -> None:
        """Writes the value everywhere, then the operand into its place."""
        source, output = call.operands[0].type, call.outputs[0].type
        with k.loop("i", 0, output.elements) as i:
            k.store(k.output(), i, value)
        axes = _merge(source.shape, output.shape, self.before)

        def copy(depth: int, read: Expr, write: Expr) -> None:
            if depth == len(axes):
                k.store(k.output(), write, k.load(k.input(0), read))
                return
            size, _, before = axes[depth]
            inner = math.prod(a[0] for a in axes[depth + 1 :])
            outer = math.prod(a[1] for a in axes[depth + 1 :])
            with k.loop("i", 0, size) as i:
                copy(depth + 1, read + i * inner, write + (i + before) * outer)

        copy(0, imm(0), imm(0))


def _merge(
    source: tuple[int, ...], output: tuple[int, ...], before: tuple[int, ...]
) -> list[tuple[int, int, int]]:
    """(input size, output size, elements before) per loop: an axis without border joins the
    axis outside it."""
    merged: list[tuple[int, int, int]] = []
    for n, m, b in zip(source, output, before, strict=True):
        if merged and n == m:
            outer = merged[-1]
            merged[-1] = (outer[0] * n, outer[1] * n, outer[2] * n)
        else:
            merged.append((n, m, b))
    return merged


@dataclass(frozen=True)
class _Pad(_Border, TfliteOp):
    """What PAD and PADV2 share."""

    def _stored_value(self, call: Call) -> float:
        """The value that fills the border: the real zero."""
        output = call.outputs[0].type
        return float(affine(output).zero_point) if output.dtype is DType.INT8 else 0.0

    def legalize(self, call: Call, constants: Constants) -> tuple[Call, ...]:
        if call.outputs[0].type.dtype is not DType.INT8:
            return (call,)
        op = QuantizedPad(self.before, self.after, int(self._stored_value(call)))
        return (replace(call, op=op),)

    def lower(self, call: Call, k: KernelBuilder) -> None:
        self._fill_and_copy(call, k, imm(self._stored_value(call), DType.FLOAT32))


@dataclass(frozen=True)
class Pad(_Pad):
    """Pads with zero."""

    name: ClassVar[str] = "pad"
    code: ClassVar[str] = "PAD"
    versions: ClassVar[tuple[int, int]] = (1, 4)
    signatures: ClassVar[tuple[Signature, ...]] = _signatures(value=False)
    constraints: ClassVar[tuple[Constraint, ...]] = (
        int8_per_tensor,
        same_quantization,
        constant(1, "paddings"),
        paddings_fit,
    )

    @classmethod
    def read(cls, node: Node) -> tuple[Pad, tuple[int, ...]]:
        paddings = node.ints(1)
        return cls(paddings[0::2], paddings[1::2]), (0,)


@dataclass(frozen=True)
class PadV2(_Pad):
    """Pads with ``value``, a stored value of the tensor."""

    name: ClassVar[str] = "padv2"
    code: ClassVar[str] = "PADV2"
    versions: ClassVar[tuple[int, int]] = (1, 4)
    signatures: ClassVar[tuple[Signature, ...]] = _signatures(value=True)
    constraints: ClassVar[tuple[Constraint, ...]] = (
        int8_per_tensor,
        same_quantization,
        constant(1, "paddings"),
        paddings_fit,
        constant(2, "padding value"),
        value_fits,
    )
    value: float

    @classmethod
    def read(cls, node: Node) -> tuple[PadV2, tuple[int, ...]]:
        paddings, value = node.ints(1), node.operand(2).data
        assert value is not None, "checked by the constraints"
        return cls(paddings[0::2], paddings[1::2], float(value.array().reshape(-1)[0])), (0,)

    def _stored_value(self, call: Call) -> float:
        return self.value


@dataclass(frozen=True)
class QuantizedPad(_Border):
    """Pads with the stored ``value``."""

    name: ClassVar[str] = "quantized_pad"
    value: int

    def lower(self, call: Call, k: KernelBuilder) -> None:
        self._fill_and_copy(call, k, imm(self.value, DType.INT8))
