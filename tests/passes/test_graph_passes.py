"""The passes between the reader and AOTLowerMain."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aot.frontend.reader import read_tflite
from aot.ir.module import IRModule
from aot.ir.op import CallPrim
from aot.ir.target import Target
from aot.ir.verifier import VerificationError
from aot.ops.registry import tflite_operators
from aot.ops.support.activation import Activation
from aot.passes.base import ModulePass
from aot.passes.eliminate_copies import EliminateCopies
from aot.passes.eliminate_dead import EliminateDead
from aot.passes.fold_constants import FoldConstants
from aot.passes.fuse_activations import FuseActivations
from aot.passes.legalize_quantization import LegalizeQuantization
from aot.passes.lower_operators import LowerOperators, NoStrategyError
from aot.passes.pipeline import run_passes
from aot.targets.scalar import SCALAR
from tests.support.tflite_builder import ModelBuilder


def read(b: ModelBuilder) -> IRModule:
    return read_tflite(b.build(), "m", Target("scalar"), tflite_operators())


def run(module: IRModule, *passes: ModulePass) -> IRModule:
    return run_passes(module, passes, SCALAR.signatures)


def ops(module: IRModule) -> list[str]:
    return [c.op.name for c in module.graph.calls]


def float_chain(*codes: str) -> ModelBuilder:
    """x -> each operator in turn, float32 [1, 4]; ADD adds a constant."""
    b = ModelBuilder()
    value = b.tensor((1, 4), "float32", name="x")
    b.inputs = [value]
    for code in codes:
        result = b.tensor((1, 4), "float32")
        if code == "ADD":
            one = b.tensor((1, 4), "float32", data=np.ones((1, 4)))
            b.op(code, [value, one], [result])
        else:
            b.op(code, [value], [result])
        value = result
    b.outputs = [value]
    return b


def test_fold_constants():
    b = ModelBuilder()
    x = b.tensor((2, 2), "float32")
    stored = b.tensor((4,), "int8", scale=0.5, zero=1, data=np.array([1, 3, -1, 5]))
    real = b.tensor((4,), "float32", name="real")
    b.op("DEQUANTIZE", [stored], [real])
    square = b.tensor((2, 2), "float32")
    b.op("RESHAPE", [real, b.tensor((2,), "int32", data=np.array([2, 2]))], [square])
    y = b.tensor((2, 2), "float32")
    b.op("ADD", [x, square], [y])
    b.inputs, b.outputs = [x], [y]
    module = run(read(b), FoldConstants(), EliminateDead())
    assert ops(module) == ["add"]
    (constant,) = module.graph.constants
    # (stored - 1) / 2
    np.testing.assert_array_equal(constant.data.array(), [[0.0, 1.0], [-1.0, 2.0]])


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


def test_eliminate_dead():
    b = float_chain("RELU", "RELU6")
    b.outputs = [b.operators[0].outputs[0]]
    module = run(read(b), EliminateDead())
    assert ops(module) == ["relu"]


def test_legalize_makes_multipliers_explicit():
    b = ModelBuilder()
    x = b.tensor((1, 2), "int8", scale=0.5, zero=3)
    w = b.tensor((2, 2), "int8", scale=(0.5, 0.25), zero=(0, 0), data=np.eye(2))
    y = b.tensor((1, 2), "int8", scale=1.0, zero=-4, name="y")
    b.op("FULLY_CONNECTED", [x, w, -1], [y], ("FullyConnectedOptions", {}))
    b.inputs, b.outputs = [x], [y]
    module = run(read(b), LegalizeQuantization())
    (call,) = module.graph.calls
    assert call.op.name == "quantized_fully_connected"
    assert (call.op.input_zero, call.op.output_zero, call.op.bounds) == (3, -4, (-128, 127))
    multiplier, shift = (module.graph.constant(v).array().tolist() for v in call.inputs[3:])
    # 0.5 * 0.5 / 1 = 2**30 / 2**31 * 2**-1, and half of it.
    assert (multiplier, shift) == ([1 << 30, 1 << 30], [-1, -2])


def test_lower_operators_shares_equal_kernels():
    module = run(read(float_chain("ADD", "RELU", "ADD")), LowerOperators(SCALAR.strategies))
    names = [c.op.function for c in module.graph.calls if isinstance(c.op, CallPrim)]
    assert names[0] == names[2] != names[1]
    assert len(module.prim_funcs) == 2


def test_lower_operators_without_a_strategy():
    with pytest.raises(NoStrategyError, match="RELU #0: no kernel of target `scalar` takes relu"):
        LowerOperators(()).run(read(float_chain("RELU")))


def views(*, input_first: bool, result_last: bool) -> IRModule:
    """x -> [RELU] -> RESHAPE -> [RELU] -> y."""
    b = ModelBuilder()
    value = b.tensor((4,), "float32", name="x")
    b.inputs = [value]
    if not input_first:
        result = b.tensor((4,), "float32", name="before")
        b.op("RELU", [value], [result])
        value = result
    square = b.tensor((2, 2), "float32", name="square")
    b.op("RESHAPE", [value, b.tensor((2,), "int32", data=np.array([2, 2]))], [square])
    value = square
    if not result_last:
        result = b.tensor((2, 2), "float32", name="after")
        b.op("RELU", [value], [result])
        value = result
    b.outputs = [value]
    return run(read(b), LowerOperators(SCALAR.strategies), EliminateCopies())


def test_a_view_inside_disappears():
    module = views(input_first=False, result_last=False)
    first, second = module.graph.calls
    assert first.outputs == second.operands
    assert [f.info.operator for f in module.prim_funcs] == ["relu", "relu"]


def test_a_view_of_an_input_disappears():
    (call,) = views(input_first=True, result_last=False).graph.calls
    assert call.operands[0].name == "x"


def test_a_view_that_is_a_result_renames_its_producer():
    (call,) = views(input_first=False, result_last=True).graph.calls
    assert call.outputs[0].name == "square"


def test_a_view_from_input_to_result_stays_a_copy():
    module = views(input_first=True, result_last=True)
    assert len(module.graph.calls) == 1
    assert module.prim_funcs[0].info.copies


def test_two_views_of_one_value_as_results():
    b = ModelBuilder()
    x, mid = b.tensor((4,), "float32"), b.tensor((4,), "float32", name="mid")
    b.op("RELU", [x], [mid])
    outputs = []
    for i in range(2):
        y = b.tensor((2, 2), "float32", name=f"y{i}")
        b.op("RESHAPE", [mid, b.tensor((2,), "int32", data=np.array([2, 2]))], [y])
        outputs.append(y)
    b.inputs, b.outputs = [x], outputs
    module = run(read(b), LowerOperators(SCALAR.strategies), EliminateCopies())
    # The producer writes the first; the second is copied from it.
    first, copy = module.graph.calls
    assert [v.name for v in (*first.outputs, *copy.operands, *copy.outputs)] == ["y0", "y0", "y1"]


def test_the_pipeline_names_the_pass_that_broke_a_rule():
    class Breaker(ModulePass):
        name = "Breaker"

        def run(self, module):
            return replace(module, entry="nowhere")

    with pytest.raises(VerificationError, match="after Breaker: m: there is no function"):
        run(read(float_chain("RELU")), Breaker())


def test_the_pipeline_checks_its_input():
    module = replace(read(float_chain("RELU")), entry="nowhere")
    with pytest.raises(VerificationError, match="after input"):
        run(module)


def test_observers_see_every_pass():
    seen = []
    run_passes(
        read(float_chain("RELU")),
        (FoldConstants(), EliminateDead()),
        SCALAR.signatures,
        lambda name, module: seen.append(name),
    )
    assert seen == ["FoldConstants", "EliminateDead"]
