"""Rules on a node that several operators share; each docstring is the refusal's message."""

from __future__ import annotations

from collections.abc import Iterable

from aot.ir.types import DType
from aot.ops.node import Constraint, Node, Tensor
from aot.ops.support.activation import CLAMPING


def _documented(rule: Constraint, text: str) -> Constraint:
    rule.__doc__ = text
    return rule


def _present(tensors: Iterable[Tensor | None]) -> list[Tensor]:
    return [t for t in tensors if t is not None]


def rank(operand: int, name: str, *ranks: int) -> Constraint:
    """The operand has one of ``ranks``."""
    return _documented(
        lambda node: len(node.operand(operand).type.shape) in ranks,
        f"{name} must have {' or '.join(map(str, ranks))} dimensions",
    )


def constant(operand: int, name: str) -> Constraint:
    """The operand, where present, is a constant."""

    def rule(node: Node) -> bool:
        tensor = node.input(operand)
        return tensor is None or tensor.data is not None

    return _documented(rule, f"{name} must be constant")


def int8_per_tensor(node: Node) -> bool:
    """int8 operands and results must have one scale and one zero point each"""
    tensors = _present((*node.inputs, *node.outputs))
    return all(_per_tensor(t) for t in tensors if t.type.dtype is DType.INT8)


def _per_tensor(tensor: Tensor) -> bool:
    quantization = tensor.type.quantization
    return quantization is not None and not quantization.per_channel


def int8_weights(channel_axis: int) -> Constraint:
    """Rule for operators whose operand 1 is a filter, quantized along ``channel_axis``."""

    def rule(node: Node) -> bool:
        tensors = [node.operand(0), *node.outputs]
        if node.operand(0).type.dtype is not DType.INT8:
            return True
        if not all(_per_tensor(t) for t in tensors):
            return False
        weights = node.operand(1).type
        quantization = weights.quantization
        if quantization is None or any(quantization.zero_points):
            return False
        if not quantization.per_channel:
            return True
        return (
            quantization.axis == channel_axis < weights.rank
            and len(quantization.scales) == weights.shape[channel_axis]
        )

    return _documented(
        rule,
        "int8: input and output must have one scale and one zero point, weights zero point 0 and "
        f"one scale or one per output channel (axis {channel_axis})",
    )


def fused_activation(node: Node) -> bool:
    """fused activation must be NONE, RELU, RELU_N1_TO_1 or RELU6"""
    return node.options.FusedActivationFunction() in {a.value for a in CLAMPING}


def strides_positive(node: Node) -> bool:
    """strides must be at least 1"""
    return bool(min(node.options.StrideH(), node.options.StrideW()) >= 1)


def dilations_positive(node: Node) -> bool:
    """dilation factors must be at least 1"""
    return bool(min(node.options.DilationHFactor(), node.options.DilationWFactor()) >= 1)


def known_padding(node: Node) -> bool:
    """padding must be SAME or VALID"""
    return node.options.Padding() in (0, 1)
