"""usmp.PlanMemory: every algorithm plans whole modules."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from aot.ir.pools import Pool, PoolKind
from aot.ir.tir import (
    For,
    ParamRole,
)
from aot.ir.visitor import walk
from aot.planners.base import PoolTooSmallError
from aot.planners.registry import PLANNERS, planner
from tests.passes.modules import Graph, chain
from tests.passes.usmp.planning import planned

EVERY = pytest.mark.parametrize("algorithm", PLANNERS, ids=lambda p: p.name)


@EVERY
def test_chain_shares_memory(algorithm):
    module = planned(chain([5, 10, 20, 40, 7]), algorithm=algorithm)
    # t1 and t2 live together; t0 takes the place of t2. Offsets are multiples of 4.
    assert module.plan.bytes_used("ram") == 60
    assert module.plan.algorithm == algorithm.name
    main = module.main
    assert [(p.name, p.role) for p in main.params] == [
        ("x", ParamRole.INPUT),
        ("y", ParamRole.OUTPUT),
        ("ram", ParamRole.WORKSPACE_POOL),
    ]
    assert main.params[-1].buffer.type.shape == (60,)


@EVERY
def test_two_pools_spill(algorithm):
    pools = (Pool("fast", PoolKind.WORKSPACE, 32), Pool("slow", PoolKind.WORKSPACE))
    g = Graph(pools=pools)
    value = g.input("x", 1)
    for i, size in enumerate((16, 32, 8)):
        value = g.call(f"t{i}", [value], size)
    g.result(g.call("y", [value], 1))
    module = planned(g.module(), algorithm=algorithm)
    assert module.plan.bytes_used("fast") <= 32
    # 16 + 32 live together, so something leaves the fast pool.
    assert module.plan.bytes_used("slow") > 0
    names = [p.name for p in module.main.params]
    assert names == ["x", "y", "fast", "slow"]


@EVERY
def test_too_small(algorithm):
    g = Graph(pools=(Pool("ram", PoolKind.WORKSPACE, 24),))
    value = g.call("a", [g.input("x", 1)], 16)
    g.result(g.call("y", [g.call("b", [value], 16)], 1))
    with pytest.raises(PoolTooSmallError) as caught:
        planned(g.module(), algorithm=algorithm)
    assert "8 bytes too small: it needs 32 and has 24" in str(caught.value)
    assert "B #1" in str(caught.value)


def test_custom_algorithm():
    @dataclass(frozen=True)
    class Recorder:
        name: str = "recorder"

        def plan(self, buffers, pools):
            seen.append([b.key.buffer for b in buffers])
            return replace(planner("greedy_by_size").plan(buffers, pools), algorithm=self.name)

    seen: list[list[str]] = []
    module = planned(chain([5, 10, 20, 7]), algorithm=Recorder())
    assert seen == [["t0", "t1"]]
    assert module.plan.algorithm == "recorder"


def test_loops_are_serial_before_planning():
    g = Graph()
    g.result(g.call("y", [g.input("x", 1)], 1, scratch=8, parallel=4))
    module = planned(g.module())
    assert any(isinstance(s, For) for s in walk(module.function("make_y").body))
    assert module.plan.bytes_used("ram") == 8
