"""MEAN: the average over some axes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from aot.ir.expr import Expr, imm
from aot.ir.graph import Call
from aot.ir.types import DType, TensorType
from aot.ops.base import Constants, KernelOp, TfliteOp
from aot.ops.kernel import KernelBuilder
from aot.ops.node import Constraint, Node, Signature
from aot.ops.support.constraints import constant, int8_per_tensor
from aot.ops.support.intrinsics import requantize, saturate
from aot.ops.support.quantization import affine, quantize_multiplier


def axes_exist(node: Node) -> bool:
    """the axes must be dimensions of the input"""
    rank = node.operand(0).type.rank
    return all(-rank <= axis < rank for axis in node.listed(1) or ())


def not_empty(node: Node) -> bool:
    """input must have at least one element"""
    return node.operand(0).type.elements > 0


@dataclass(frozen=True)
class _Reduction(KernelOp):
    """``axes`` are sorted and not negative; ``keep_dims`` leaves them with size 1."""

    axes: tuple[int, ...]
    keep_dims: bool

    def infer(self, inputs: tuple[TensorType | None, ...]) -> tuple[TensorType, ...]:
        source = inputs[0]
        assert source is not None, "required operand"
        shape = tuple(
            1 if axis in self.axes else n
            for axis, n in enumerate(source.shape)
            if self.keep_dims or axis not in self.axes
        )
        return (TensorType(shape, source.dtype),)

    def _count(self, source: TensorType) -> int:
        """Elements that each result averages."""
        return math.prod(source.shape[axis] for axis in self.axes)

    def _nest(
        self, call: Call, k: KernelBuilder, dtype: DType, finish: Callable[[Expr], Expr]
    ) -> None:
        """Loops over the kept axes; ``finish`` turns the sum over the others into the result."""
        source = call.operands[0].type
        strides = [math.prod(source.shape[axis + 1 :]) for axis in range(source.rank)]
        kept = [axis for axis in range(source.rank) if axis not in self.axes]

        def total(axes: tuple[int, ...], index: Expr, add: Callable[[Expr], None]) -> None:
            if not axes:
                add(index)
                return
            with k.loop("r", 0, source.shape[axes[0]]) as r:
                total(axes[1:], index + r * strides[axes[0]], add)

        def result(axes: list[int], read: Expr, write: Expr) -> None:
            if axes:
                inner = math.prod(source.shape[axis] for axis in axes[1:])
                with k.loop("o", 0, source.shape[axes[0]]) as o:
                    result(axes[1:], read + o * strides[axes[0]], write + o * inner)
                return
            acc = k.local("acc", 0, dtype)
            total(
                self.axes,
                read,
                lambda index: k.assign(acc, acc + k.load_as(dtype, k.input(0), index)),
            )
            k.store(k.output(), write, finish(acc))

        result(kept, imm(0), imm(0))


@dataclass(frozen=True)
class Mean(_Reduction, TfliteOp):
    """The operator of the schema; lowered as it is for float32."""

    name: ClassVar[str] = "mean"
    code: ClassVar[str] = "MEAN"
    versions: ClassVar[tuple[int, int]] = (1, 3)
    options_type: ClassVar[str] = "ReducerOptions"
    signatures: ClassVar[tuple[Signature, ...]] = (
        Signature((DType.INT8, DType.INT32), (DType.INT8,)),
        Signature((DType.FLOAT32, DType.INT32), (DType.FLOAT32,)),
    )
    constraints: ClassVar[tuple[Constraint, ...]] = (
        int8_per_tensor,
        constant(1, "axes"),
        axes_exist,
        not_empty,
    )

    @classmethod
    def read(cls, node: Node) -> tuple[Mean, tuple[int, ...]]:
        rank = node.operand(0).type.rank
        axes = tuple(sorted({axis % rank for axis in node.ints(1)}))
        return cls(axes, bool(node.options.KeepDims())), (0,)

    def legalize(self, call: Call, constants: Constants) -> tuple[Call, ...]:
        source, output = call.operands[0].type, call.outputs[0].type
        if output.dtype is not DType.INT8:
            return (call,)
        factor = affine(source).scale / affine(output).scale
        op = QuantizedMean(
            self.axes,
            self.keep_dims,
            affine(source).zero_point,
            affine(output).zero_point,
            *_divided(*quantize_multiplier(factor), self._count(source)),
        )
        return (replace(call, op=op),)

    def lower(self, call: Call, k: KernelBuilder) -> None:
        count = float(self._count(call.operands[0].type))
        self._nest(call, k, DType.FLOAT32, lambda acc: acc / count)


@dataclass(frozen=True)
class QuantizedMean(_Reduction):
    """The centred sum, rescaled with two roundings; the division is part of the multiplier."""

    name: ClassVar[str] = "quantized_mean"
    input_zero: int
    output_zero: int
    multiplier: int
    shift: int

    def lower(self, call: Call, k: KernelBuilder) -> None:
        count = self._count(call.operands[0].type)

        def finish(acc: Expr) -> Expr:
            centred = acc - count * self.input_zero
            scaled = requantize(centred, self.multiplier, self.shift)
            return saturate(scaled + self.output_zero, DType.INT8.bounds, DType.INT8)

        self._nest(call, k, DType.INT32, finish)


def _divided(multiplier: int, shift: int, count: int) -> tuple[int, int]:
    """The multiplier and shift of a factor over ``count``.

    The multiplier keeps its bits by a shift of floor(log2(count)) before the division, which
    truncates (LiteRT internal/reference/reduce.h, QuantizedMeanOrSum).
    """
    extra = min(count.bit_length() - 1, 32, 31 + shift)
    return (multiplier << extra) // count, shift - extra
