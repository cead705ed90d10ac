"""DEPTHWISE_CONV_2D: each input channel convolved with filters of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from aot.ir.graph import Call
from aot.ir.op import TypeRuleError
from aot.ir.types import TensorType
from aot.ops.kernel import KernelBuilder
from aot.ops.node import Constraint, Signature
from aot.ops.support import convolution, weighted_sum
from aot.ops.support.convolution import Convolution, FusedConvolution
from aot.ops.support.intrinsics import requantize
from aot.ops.support.weighted_sum import IntegerSum, Rescaling, Sum


@dataclass(frozen=True)
class _Depthwise(Convolution):
    """Filters are [1, kh, kw, c * multiplier]; output channel ``c * multiplier + m`` reads input
    channel ``c`` alone. The multiplier is what the shapes say, as in the reference, whatever the
    file's option."""

    def infer(self, inputs: tuple[TensorType | None, ...]) -> tuple[TensorType, ...]:
        image, filters = inputs[0], inputs[1]
        assert image is not None and filters is not None, "required operands"
        channels, out = image.shape[3], filters.shape[3]
        if filters.shape[0] != 1 or channels == 0 or out % channels:
            raise TypeRuleError(f"filters {filters.shape} do not serve {channels} channels")
        weighted_sum.check_bias(inputs, out)
        rows, columns = self.windows(image, filters)
        return (TensorType((image.shape[0], rows.outputs, columns.outputs, out), image.dtype),)

    def macs(self, call: Call) -> int:
        _, kh, kw, _ = call.operands[1].type.shape
        return call.outputs[0].type.elements * kh * kw

    def nest(self, call: Call, k: KernelBuilder, total: Sum) -> None:
        _, h, w, c = call.operands[0].type.shape
        _, _, kw, out = call.operands[1].type.shape
        dh, dw = self.dilation
        with self.positions(call, k) as at, k.loop("oc", 0, out) as oc:
            channel = k.let("channel", oc // (out // c))
            acc = k.local("acc", total.start(oc), total.dtype)
            with k.loop("ky", *at.y) as ky, k.loop("kx", *at.x) as kx:
                y, x = at.top + ky * dh, at.left + kx * dw
                source = ((at.image * h + y) * w + x) * c + channel
                k.assign(acc, acc + total.product(source, (ky * kw + kx) * out + oc))
            k.store(k.output(), at.pixel + oc, total.finish(acc, oc))


@dataclass(frozen=True)
class DepthwiseConv2D(_Depthwise, FusedConvolution):
    """The operator of the schema; lowered as it is for float32."""

    name: ClassVar[str] = "depthwise_conv_2d"
    code: ClassVar[str] = "DEPTHWISE_CONV_2D"
    versions: ClassVar[tuple[int, int]] = (1, 7)
    options_type: ClassVar[str] = "DepthwiseConv2DOptions"
    operands: ClassVar[tuple[str, ...]] = weighted_sum.OPERANDS
    signatures: ClassVar[tuple[Signature, ...]] = weighted_sum.SIGNATURES
    constraints: ClassVar[tuple[Constraint, ...]] = convolution.constraints(channel_axis=3)
    channel_axis: ClassVar[int] = 3

    def integer_form(self, input_zero: int, output_zero: int, bounds: tuple[int, int]) -> Rescaling:
        return QuantizedDepthwiseConv2D(
            input_zero, output_zero, bounds, self.stride, self.dilation, self.padding
        )


@dataclass(frozen=True)
class QuantizedDepthwiseConv2D(_Depthwise, Rescaling):
    """Integer depthwise convolution; every channel's sum is rounded twice."""

    name: ClassVar[str] = "quantized_depthwise_conv_2d"
    operands: ClassVar[tuple[str, ...]] = weighted_sum.RESCALED_OPERANDS

    def lower(self, call: Call, k: KernelBuilder) -> None:
        self.nest(call, k, IntegerSum(k, self, requantize))
