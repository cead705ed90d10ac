"""EliminateCopies: views disappear where that is safe."""

from __future__ import annotations

import numpy as np

from aot.ir.module import IRModule
from aot.passes.eliminate_copies import EliminateCopies
from aot.passes.lower_operators import LowerOperators
from aot.targets.scalar import SCALAR
from tests.passes.graphs import read, run
from tests.support.tflite_builder import ModelBuilder


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
