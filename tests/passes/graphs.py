"""Small models as the reader gives them, for the graph passes."""

from __future__ import annotations

import numpy as np

from aot.frontend.reader import read_tflite
from aot.ir.module import IRModule
from aot.ir.target import Target
from aot.ops.registry import tflite_operators
from aot.passes.base import ModulePass
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
