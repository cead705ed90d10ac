"""EliminateDead: keeps what results need."""

from __future__ import annotations

from aot.passes.eliminate_dead import EliminateDead
from tests.passes.graphs import float_chain, ops, read, run


def test_eliminate_dead():
    b = float_chain("RELU", "RELU6")
    b.outputs = [b.operators[0].outputs[0]]
    module = run(read(b), EliminateDead())
    assert ops(module) == ["relu"]
