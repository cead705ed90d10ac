"""MEAN: the average over some axes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from aot.ir.expr import Expr, imm, select
from aot.ir.graph import Call
from aot.ir.types import DType, Quantization, TensorType
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
    """The operator of the schema; lowered as it is for float32.

    The reference computes int8 in three ways: over the two spatial axes of a 4-D tensor in
    fixed point, between equal quantizations on the stored values, and otherwise in float32.
    """

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
    spatial: bool

    @classmethod
    def read(cls, node: Node) -> tuple[Mean, tuple[int, ...]]:
        rank, listed = node.operand(0).type.rank, node.ints(1)
        keep_dims = bool(node.options.KeepDims())
        # The reference compares the axes as they are written.
        spatial = keep_dims and rank == 4 and listed in ((1, 2), (2, 1))
        return cls(tuple(sorted({axis % rank for axis in listed})), keep_dims, spatial), (0,)

    def legalize(self, call: Call, constants: Constants) -> tuple[Call, ...]:
        source, output = call.operands[0].type, call.outputs[0].type
        if output.dtype is not DType.INT8:
            return (call,)
        if self.spatial:
            zeros = affine(source).zero_point, affine(output).zero_point
            factor = quantize_multiplier(affine(source).scale / affine(output).scale)
            op: KernelOp = RescaledMean(self.axes, self.keep_dims, *zeros, *factor)
            return (replace(call, op=op),)
        if affine(source) == affine(output):
            return (replace(call, op=StoredMean(self.axes, self.keep_dims)),)
        table = _switching_points(self._count(source), affine(source), affine(output))
        points = constants.add(f"{call.outputs[0].name}/thresholds", table, DType.INT32)
        op = TabulatedMean(self.axes, self.keep_dims)
        return (replace(call, op=op, inputs=(call.operands[0], points)),)

    def lower(self, call: Call, k: KernelBuilder) -> None:
        count = float(self._count(call.operands[0].type))
        self._nest(call, k, DType.FLOAT32, lambda acc: acc / count)


@dataclass(frozen=True)
class RescaledMean(_Reduction):
    """The centred sum is rescaled with two roundings, then divided with halves away from zero."""

    name: ClassVar[str] = "rescaled_mean"
    input_zero: int
    output_zero: int
    multiplier: int
    shift: int

    def lower(self, call: Call, k: KernelBuilder) -> None:
        count = self._count(call.operands[0].type)

        def finish(acc: Expr) -> Expr:
            centred = acc - count * self.input_zero
            scaled = k.let("scaled", requantize(centred, self.multiplier, self.shift))
            half = count // 2
            mean = select(scaled > 0, scaled + half, scaled - half) // count
            return saturate(mean + self.output_zero, DType.INT8.bounds, DType.INT8)

        self._nest(call, k, DType.INT32, finish)


@dataclass(frozen=True)
class StoredMean(_Reduction):
    """The mean of the stored values, truncated towards zero."""

    name: ClassVar[str] = "stored_mean"

    def lower(self, call: Call, k: KernelBuilder) -> None:
        count = self._count(call.operands[0].type)
        self._nest(call, k, DType.INT32, lambda acc: (acc // count).cast(DType.INT8))


@dataclass(frozen=True)
class TabulatedMean(_Reduction):
    """Operand 1 holds, for every result above -128, the least sum of stored values that gives
    it: int32 [255], ascending; the result is -128 plus the number of entries not above the sum.
    """

    name: ClassVar[str] = "tabulated_mean"
    operands: ClassVar[tuple[str, ...]] = ("input", "thresholds")

    def lower(self, call: Call, k: KernelBuilder) -> None:
        def finish(acc: Expr) -> Expr:
            position = k.local("position", 0)
            step = 128
            while step:
                reached = k.load(k.input(1), position + (step - 1)) <= acc
                with k.when(reached):
                    k.assign(position, position + step)
                step //= 2
            return (position - 128).cast(DType.INT8)

        self._nest(call, k, DType.INT32, finish)


def _switching_points(count: int, source: Quantization, output: Quantization) -> list[int]:
    """The least sum for each result -127 .. 127 by bisection: the reference's float32
    arithmetic (internal/reference/reduce.h, QuantizedMeanOrSum) never falls as the sum rises."""
    f32 = np.float32
    scale = f32(source.scale) / f32(output.scale)
    bias = f32(-source.zero_point) * scale

    def result(total: int) -> float:
        mean = f32(total) / f32(count)
        value = mean * scale + bias
        rounded = np.copysign(np.floor(np.abs(value) + f32(0.5)), value)
        return float(rounded + f32(output.zero_point))

    points = []
    for wanted in range(-127, 128):
        low, high = -128 * count, 127 * count + 1
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if result(middle) >= wanted else (middle + 1, high)
        points.append(low)
    return points
