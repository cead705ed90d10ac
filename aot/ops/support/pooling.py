"""Windows over each channel: what AVERAGE_POOL_2D and MAX_POOL_2D share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, TypeVar

from aot.ir.expr import Expr
from aot.ir.graph import Call
from aot.ir.types import DType, TensorType
from aot.ops.base import Constants, KernelOp
from aot.ops.kernel import KernelBuilder
from aot.ops.node import Constraint, Node, Signature
from aot.ops.support.activation import Activation, quantized_bounds
from aot.ops.support.constraints import (
    fused_activation,
    int8_per_tensor,
    known_padding,
    rank,
    strides_positive,
)
from aot.ops.support.fused import FusedOp
from aot.ops.support.padding import Padding, spatial_windows
from aot.ops.support.quantization import affine, same_quantization

SIGNATURES = (
    Signature((DType.INT8,), (DType.INT8,)),
    Signature((DType.FLOAT32,), (DType.FLOAT32,)),
)


def filter_positive(node: Node) -> bool:
    """filter height and width must be at least 1"""
    return bool(min(node.options.FilterHeight(), node.options.FilterWidth()) >= 1)


CONSTRAINTS = (
    rank(0, "input", 4),
    int8_per_tensor,
    same_quantization,
    known_padding,
    strides_positive,
    filter_positive,
    fused_activation,
)


@dataclass(frozen=True)
class Pooling(KernelOp):
    """The image is [n, h, w, c]; ``size`` and ``stride`` are (height, width). Taps outside the
    image count for nothing."""

    size: tuple[int, int]
    stride: tuple[int, int]
    padding: Padding

    def infer(self, inputs: tuple[TensorType | None, ...]) -> tuple[TensorType, ...]:
        image = inputs[0]
        assert image is not None, "required operand"
        rows, columns = spatial_windows(image.shape, self.size, self.stride, (1, 1), self.padding)
        shape = (image.shape[0], rows.outputs, columns.outputs, image.shape[3])
        return (TensorType(shape, image.dtype),)

    def nest(
        self,
        call: Call,
        k: KernelBuilder,
        start: Expr,
        step: Callable[[Expr, Expr], Expr],
        finish: Callable[[Expr, Expr], Expr],
    ) -> None:
        """The loops: ``start`` is the first accumulator, ``step`` takes it and an element,
        ``finish`` the accumulator and the count of taps inside, as int32."""
        n, h, w, c = call.operands[0].type.shape
        rows, columns = spatial_windows((n, h, w, c), self.size, self.stride, (1, 1), self.padding)
        with k.loop("b", 0, n) as b, k.loop("oy", 0, rows.outputs) as oy:
            top = rows.origin(k, "top", oy)
            y0, y1 = rows.taps_inside(k, "ky", top)
            with k.loop("ox", 0, columns.outputs) as ox:
                left = columns.origin(k, "left", ox)
                x0, x1 = columns.taps_inside(k, "kx", left)
                pixel = k.let("pixel", ((b * rows.outputs + oy) * columns.outputs + ox) * c)
                with k.loop("ch", 0, c) as ch:
                    acc = k.local("acc", start, start.dtype)
                    with k.loop("ky", y0, y1) as ky, k.loop("kx", x0, x1) as kx:
                        source = ((b * h + top + ky) * w + left + kx) * c + ch
                        k.assign(acc, step(acc, k.load_as(start.dtype, k.input(0), source)))
                    k.store(k.output(), pixel + ch, finish(acc, (y1 - y0) * (x1 - x0)))


_Self = TypeVar("_Self", bound="FusedPooling")


@dataclass(frozen=True)
class FusedPooling(Pooling, FusedOp):
    """An operator of the schema; lowered as it is for float32."""

    options_type: ClassVar[str] = "Pool2DOptions"
    signatures: ClassVar[tuple[Signature, ...]] = SIGNATURES
    constraints: ClassVar[tuple[Constraint, ...]] = CONSTRAINTS

    @classmethod
    def read(cls: type[_Self], node: Node) -> tuple[_Self, tuple[int, ...]]:
        options = node.options
        op = cls(
            (options.FilterHeight(), options.FilterWidth()),
            (options.StrideH(), options.StrideW()),
            Padding(options.Padding()),
            activation=Activation(options.FusedActivationFunction()),
        )
        return op, (0,)

    @abstractmethod
    def integer_form(self, bounds: tuple[int, int]) -> Pooling:
        """The operator on stored values with the same geometry, clamped to ``bounds``."""

    def legalize(self, call: Call, constants: Constants) -> tuple[Call, ...]:
        output = call.outputs[0].type
        if output.dtype is not DType.INT8:
            return (call,)
        bounds = quantized_bounds(self.activation, affine(output), output.dtype)
        return (replace(call, op=self.integer_form(bounds)),)
