"""DEPTHWISE_CONV_2D: each input channel convolved with filters of its own."""

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
from aot.ops.support.constraints import (
    dilations_positive,
    fused_activation,
    int8_weights,
    known_padding,
    rank,
    strides_positive,
)
from aot.ops.support.fused import FusedOp
from aot.ops.support.intrinsics import requantize
from aot.ops.support.padding import Padding, Window, spatial_windows
from aot.ops.support.quantization import affine, channel_multipliers
from aot.ops.support.weighted_sum import FloatSum, IntegerSum, Rescaling, Sum


@dataclass(frozen=True)
class _Depthwise(KernelOp):
    """Geometry of the float and the integer form.

    Operand 0 is [n, h, w, c], operand 1 filters [1, kh, kw, c * multiplier]; output channel
    ``c * multiplier + m`` reads input channel ``c`` alone. The multiplier is what the shapes
    say, as in the reference, whatever the file's option.
    """

    stride: tuple[int, int]
    dilation: tuple[int, int]
    padding: Padding

    def infer(self, inputs: tuple[TensorType | None, ...]) -> tuple[TensorType, ...]:
        image, filters = inputs[0], inputs[1]
        assert image is not None and filters is not None, "required operands"
        channels, out = image.shape[3], filters.shape[3]
        if filters.shape[0] != 1 or channels == 0 or out % channels:
            raise TypeRuleError(f"filters {filters.shape} do not serve {channels} channels")
        weighted_sum.check_bias(inputs, out)
        rows, columns = self._windows(image, filters)
        return (TensorType((image.shape[0], rows.outputs, columns.outputs, out), image.dtype),)

    def macs(self, call: Call) -> int:
        _, kh, kw, _ = call.operands[1].type.shape
        return call.outputs[0].type.elements * kh * kw

    def _windows(self, image: TensorType, filters: TensorType) -> tuple[Window, Window]:
        return spatial_windows(
            image.shape, filters.shape[1:3], self.stride, self.dilation, self.padding
        )

    def _nest(self, call: Call, k: KernelBuilder, total: Sum) -> None:
        image, filters = call.operands[0].type, call.operands[1].type
        n, h, w, c = image.shape
        _, _, kw, out = filters.shape
        rows, columns = self._windows(image, filters)
        dh, dw = self.dilation
        with k.loop("b", 0, n) as b, k.loop("oy", 0, rows.outputs) as oy:
            top = rows.origin(k, "top", oy)
            y0, y1 = rows.taps_inside(k, "ky", top)
            with k.loop("ox", 0, columns.outputs) as ox:
                left = columns.origin(k, "left", ox)
                x0, x1 = columns.taps_inside(k, "kx", left)
                pixel = k.let("pixel", ((b * rows.outputs + oy) * columns.outputs + ox) * out)
                with k.loop("oc", 0, out) as oc:
                    channel = k.let("channel", oc // (out // c))
                    acc = k.local("acc", total.start(oc), total.dtype)
                    with k.loop("ky", y0, y1) as ky, k.loop("kx", x0, x1) as kx:
                        y, x = top + ky * dh, left + kx * dw
                        source = ((b * h + y) * w + x) * c + channel
                        k.assign(acc, acc + total.product(source, (ky * kw + kx) * out + oc))
                    k.store(k.output(), pixel + oc, total.finish(acc, oc))


@dataclass(frozen=True)
class DepthwiseConv2D(_Depthwise, FusedOp):
    """The operator of the schema; lowered as it is for float32."""

    name: ClassVar[str] = "depthwise_conv_2d"
    code: ClassVar[str] = "DEPTHWISE_CONV_2D"
    versions: ClassVar[tuple[int, int]] = (1, 7)
    options_type: ClassVar[str] = "DepthwiseConv2DOptions"
    operands: ClassVar[tuple[str, ...]] = weighted_sum.OPERANDS
    signatures: ClassVar[tuple[Signature, ...]] = weighted_sum.SIGNATURES
    constraints: ClassVar[tuple[Constraint, ...]] = (
        rank(0, "input", 4),
        rank(1, "filter", 4),
        int8_weights(channel_axis=3),
        known_padding,
        strides_positive,
        dilations_positive,
        fused_activation,
    )

    @classmethod
    def read(cls, node: Node) -> tuple[DepthwiseConv2D, tuple[int, ...]]:
        options = node.options
        op = cls(
            stride=(options.StrideH(), options.StrideW()),
            dilation=(options.DilationHFactor(), options.DilationWFactor()),
            padding=Padding(options.Padding()),
            activation=Activation(options.FusedActivationFunction()),
        )
        return op, tuple(range(len(node.inputs)))

    def legalize(self, call: Call, constants: Constants) -> tuple[Call, ...]:
        image, filters, output = call.operands[0].type, call.operands[1].type, call.outputs[0].type
        if image.dtype is not DType.INT8:
            return (call,)
        op = QuantizedDepthwiseConv2D(
            *weighted_sum.rescaling_of(call, self.activation),
            stride=self.stride,
            dilation=self.dilation,
            padding=self.padding,
        )
        multipliers = channel_multipliers(
            affine(image), affine(filters), affine(output), filters.shape[3]
        )
        return (weighted_sum.rescaled(call, op, multipliers, constants),)

    def lower(self, call: Call, k: KernelBuilder) -> None:
        self._nest(call, k, FloatSum(k, self.activation))


@dataclass(frozen=True)
class QuantizedDepthwiseConv2D(_Depthwise, Rescaling):
    """Integer depthwise convolution; every channel's sum is rounded twice."""

    name: ClassVar[str] = "quantized_depthwise_conv_2d"
    operands: ClassVar[tuple[str, ...]] = weighted_sum.RESCALED_OPERANDS

    def lower(self, call: Call, k: KernelBuilder) -> None:
        self._nest(call, k, IntegerSum(k, self, requantize))
