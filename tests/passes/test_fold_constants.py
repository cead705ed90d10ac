"""FoldConstants: what depends on constants alone becomes one."""

from __future__ import annotations

import numpy as np

from aot.passes.eliminate_dead import EliminateDead
from aot.passes.fold_constants import FoldConstants
from tests.passes.graphs import ops, read, run
from tests.support.tflite_builder import ModelBuilder


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
