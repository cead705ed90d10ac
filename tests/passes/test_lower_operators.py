"""LowerOperators: one kernel per kind of call, chosen by a strategy."""

from __future__ import annotations

import pytest

from aot.ir.op import CallPrim
from aot.passes.lower_operators import LowerOperators, NoStrategyError
from aot.targets.scalar import SCALAR
from tests.passes.graphs import float_chain, read, run


def test_lower_operators_shares_equal_kernels():
    module = run(read(float_chain("ADD", "RELU", "ADD")), LowerOperators(SCALAR.strategies))
    names = [c.op.function for c in module.graph.calls if isinstance(c.op, CallPrim)]
    assert names[0] == names[2] != names[1]
    assert len(module.prim_funcs) == 2


def test_lower_operators_without_a_strategy():
    with pytest.raises(NoStrategyError, match="RELU #0: no kernel of target `scalar` takes relu"):
        LowerOperators(()).run(read(float_chain("RELU")))
