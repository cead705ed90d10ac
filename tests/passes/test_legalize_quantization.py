"""LegalizeQuantization: scales become multipliers and shifts."""

from __future__ import annotations

import numpy as np

from aot.passes.legalize_quantization import LegalizeQuantization
from tests.passes.graphs import read, run
from tests.support.tflite_builder import ModelBuilder


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
