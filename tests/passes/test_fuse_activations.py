"""FuseActivations: merges where it changes no value, and only there."""

from __future__ import annotations

import pytest

from aot.ops.support.activation import Activation
from aot.passes.fuse_activations import FuseActivations
from tests.passes.graphs import float_chain, ops, read, run
from tests.support.tflite_builder import ModelBuilder


@pytest.mark.parametrize(
    ("codes", "fused"),
    [
        (("ADD", "RELU"), [("add", Activation.RELU)]),
        (("ADD", "RELU6"), [("add", Activation.RELU6)]),
        (("ADD", "RELU_N1_TO_1"), [("add", Activation.RELU_N1_TO_1)]),
        # max(x, 0) and then min(., 6) is RELU6.
        (("ADD", "RELU", "RELU6"), [("add", Activation.RELU6)]),
        (("ADD", "RELU6", "RELU"), [("add", Activation.RELU6)]),
    ],
)
def test_fuse_activations(codes, fused):
    module = run(read(float_chain(*codes)), FuseActivations())
    assert [(c.op.name, c.op.activation) for c in module.graph.calls] == fused
    assert module.graph.calls[0].origin.startswith("ADD #0 + ")


def test_no_fusion_across_a_second_reader():
    b = float_chain("ADD", "RELU")
    b.outputs.append(b.operators[0].outputs[0])
    assert ops(run(read(b), FuseActivations())) == ["add", "relu"]


def test_no_fusion_where_it_would_change_values():
    # x limited to [-1, 1] and then max(., 0) is none of the activations.
    module = run(read(float_chain("ADD", "RELU_N1_TO_1", "RELU")), FuseActivations())
    assert ops(module) == ["add", "relu"]


@pytest.mark.parametrize(("scale", "expected"), [(0.5, ["add"]), (0.25, ["add", "relu"])])
def test_integer_fusion_needs_one_quantization(scale, expected):
    b = ModelBuilder()
    x, mid = (b.tensor((4,), "int8", scale=0.5, zero=3) for _ in range(2))
    y = b.tensor((4,), "int8", scale=scale, zero=3)
    b.op("ADD", [x, x], [mid], ("AddOptions", {}))
    b.op("RELU", [mid], [y])
    b.inputs, b.outputs = [x], [y]
    assert ops(run(read(b), FuseActivations())) == expected
