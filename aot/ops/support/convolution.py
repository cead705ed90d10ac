"""Filters that slide over images: what CONV_2D and DEPTHWISE_CONV_2D share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from aot.ir.expr import Expr
from aot.ir.graph import Call
from aot.ir.types import DType, TensorType
from aot.ops.base import Constants, KernelOp
from aot.ops.kernel import KernelBuilder
from aot.ops.node import Constraint, Node
from aot.ops.support import weighted_sum
from aot.ops.support.activation import Activation
from aot.ops.support.constraints import (
    dilations_positive,
    fused_activation,
    int8_weights,
    known_padding,
    rank,
    strides_positive,
)
from aot.ops.support.fused import FusedOp
from aot.ops.support.padding import Padding, Window, spatial_windows
from aot.ops.support.quantization import affine, channel_multipliers
from aot.ops.support.weighted_sum import FloatSum, Rescaling, Sum


def constraints(channel_axis: int) -> tuple[Constraint, ...]:
    """The rules on a node whose filters have their output channels on ``channel_axis``."""
    return (
        rank(0, "input", 4),
        rank(1, "filter", 4),
        int8_weights(channel_axis),
        known_padding,
        strides_positive,
        dilations_positive,
        fused_activation,
    )


@dataclass(frozen=True)
class Position:
    """One output pixel inside the loops over images, rows and columns.

    ``pixel`` is the flat index of its first channel; tap (ky, kx) with ky in [y0, y1) and kx in
    [x0, x1) reads the input at (top + ky * dilation, left + kx * dilation).
    """

    image: Expr
    pixel: Expr
    top: Expr
    left: Expr
    y: tuple[Expr, Expr]
    x: tuple[Expr, Expr]


@dataclass(frozen=True)
class Convolution(KernelOp):
    """Geometry of the float and the integer form; ``stride`` and ``dilation`` are (height, width).

    Operand 0 is [n, h, w, c], operand 1 the filters, whose axes 1 and 2 are height and width.
    """

    stride: tuple[int, int]
    dilation: tuple[int, int]
    padding: Padding

    def windows(self, image: TensorType, filters: TensorType) -> tuple[Window, Window]:
        """The windows over the rows and over the columns."""
        return spatial_windows(
            image.shape, filters.shape[1:3], self.stride, self.dilation, self.padding
        )

    @contextmanager
    def positions(self, call: Call, k: KernelBuilder) -> Iterator[Position]:
        """Opens the loops over the pixels of the result."""
        image, filters = call.operands[0].type, call.operands[1].type
        channels = call.outputs[0].type.shape[3]
        rows, columns = self.windows(image, filters)
        with k.loop("b", 0, image.shape[0]) as b, k.loop("oy", 0, rows.outputs) as oy:
            top = rows.origin(k, "top", oy)
            y = rows.taps_inside(k, "ky", top)
            with k.loop("ox", 0, columns.outputs) as ox:
                left = columns.origin(k, "left", ox)
                x = columns.taps_inside(k, "kx", left)
                index = ((b * rows.outputs + oy) * columns.outputs + ox) * channels
                yield Position(b, k.let("pixel", index), top, left, y, x)

    @abstractmethod
    def nest(self, call: Call, k: KernelBuilder, total: Sum) -> None:
        """The loops of the kernel, each result being a ``total``."""


_Self = TypeVar("_Self", bound="FusedConvolution")


@dataclass(frozen=True)
class FusedConvolution(Convolution, FusedOp):
    """An operator of the schema; lowered as it is for float32."""

    channel_axis: ClassVar[int]

    @classmethod
    def read(cls: type[_Self], node: Node) -> tuple[_Self, tuple[int, ...]]:
        options = node.options
        op = cls(
            stride=(options.StrideH(), options.StrideW()),
            dilation=(options.DilationHFactor(), options.DilationWFactor()),
            padding=Padding(options.Padding()),
            activation=Activation(options.FusedActivationFunction()),
        )
        return op, tuple(range(len(node.inputs)))

    @abstractmethod
    def integer_form(self, input_zero: int, output_zero: int, bounds: tuple[int, int]) -> Rescaling:
        """The operator on stored values with the same geometry."""

    def legalize(self, call: Call, constants: Constants) -> tuple[Call, ...]:
        image, filters, output = call.operands[0].type, call.operands[1].type, call.outputs[0].type
        if image.dtype is not DType.INT8:
            return (call,)
        op = self.integer_form(*weighted_sum.rescaling_of(call, self.activation))
        channels = filters.shape[self.channel_axis]
        multipliers = channel_multipliers(affine(image), affine(filters), affine(output), channels)
        return (weighted_sum.rescaled(call, op, multipliers, constants),)

    def lower(self, call: Call, k: KernelBuilder) -> None:
        self.nest(call, k, FloatSum(k, self.activation))
