"""CONV_2D: convolution over NHWC images, with groups, dilation and a fused activation."""

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
class _Conv2D(Convolution):
    """Filters are [out, kh, kw, c / groups]; the result is [n, oh, ow, out]."""

    def infer(self, inputs: tuple[TensorType | None, ...]) -> tuple[TensorType, ...]:
        image, filters = inputs[0], inputs[1]
        assert image is not None and filters is not None, "required operands"
        channels, depth, out = image.shape[3], filters.shape[3], filters.shape[0]
        if depth == 0 or channels == 0 or channels % depth or out % (channels // depth):
            raise TypeRuleError(
                f"{channels} input channels cannot feed {out} filters of {depth} channels"
            )
        weighted_sum.check_bias(inputs, out)
        rows, columns = self.windows(image, filters)
        return (TensorType((image.shape[0], rows.outputs, columns.outputs, out), image.dtype),)

    def macs(self, call: Call) -> int:
        _, kh, kw, depth = call.operands[1].type.shape
        return call.outputs[0].type.elements * kh * kw * depth

    def nest(self, call: Call, k: KernelBuilder, total: Sum) -> None:
        _, h, w, c = call.operands[0].type.shape
        out, kh, kw, depth = call.operands[1].type.shape
        dh, dw = self.dilation
        per_group = out // (c // depth)
        with self.positions(call, k) as at, k.loop("oc", 0, out) as oc:
            first = k.let("first", oc // per_group * depth) if depth < c else 0
            acc = k.local("acc", total.start(oc), total.dtype)
            with k.loop("ky", *at.y) as ky, k.loop("kx", *at.x) as kx:
                y, x = at.top + ky * dh, at.left + kx * dw
                source = k.let("source", ((at.image * h + y) * w + x) * c + first)
                tap = k.let("tap", ((oc * kh + ky) * kw + kx) * depth)
                with k.loop("ic", 0, depth) as ic:
                    k.assign(acc, acc + total.product(source + ic, tap + ic))
            k.store(k.output(), at.pixel + oc, total.finish(acc, oc))


@dataclass(frozen=True)
class Conv2D(_Conv2D, FusedConvolution):
    """The operator of the schema; lowered as it is for float32."""

    name: ClassVar[str] = "conv_2d"
    code: ClassVar[str] = "CONV_2D"
    versions: ClassVar[tuple[int, int]] = (1, 8)
    options_type: ClassVar[str] = "Conv2DOptions"
    operands: ClassVar[tuple[str, ...]] = weighted_sum.OPERANDS
    signatures: ClassVar[tuple[Signature, ...]] = weighted_sum.SIGNATURES
    constraints: ClassVar[tuple[Constraint, ...]] = convolution.constraints(channel_axis=0)
    channel_axis: ClassVar[int] = 0

    def integer_form(self, input_zero: int, output_zero: int, bounds: tuple[int, int]) -> Rescaling:
        return QuantizedConv2D(
            input_zero, output_zero, bounds, self.stride, self.dilation, self.padding
        )


@dataclass(frozen=True)
class QuantizedConv2D(_Conv2D, Rescaling):
    """Integer convolution; every channel's sum is rounded twice."""

    name: ClassVar[str] = "quantized_conv_2d"
    operands: ClassVar[tuple[str, ...]] = weighted_sum.RESCALED_OPERANDS

    def lower(self, call: Call, k: KernelBuilder) -> None:
        self.nest(call, k, IntegerSum(k, self, requantize))
