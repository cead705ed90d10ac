"""usmp.AssignPoolInfo: candidates by kind, target, order and rule."""

from __future__ import annotations

import pytest

from aot.ir.pools import Pool, PoolKind
from aot.ir.tir import (
    Allocate,
    AllocateConst,
)
from aot.ir.visitor import walk
from aot.passes.aot_lower_main import AOTLowerMain
from aot.passes.usmp.assign_pool_info import (
    AssignPoolInfo,
    NoCandidatePoolError,
    PlacementRule,
    UnknownPoolError,
)
from tests.passes.modules import FLASH, RAM, Graph, chain, run


def candidates(module):
    return {
        s.buffer.name: s.candidates
        for f in module.prim_funcs
        for s in walk(f.body)
        if isinstance(s, Allocate | AllocateConst)
    }


def test_candidates_by_kind_and_order():
    g = Graph(pools=(Pool("fast", PoolKind.WORKSPACE), RAM, FLASH))
    mid = g.call("mid", [g.input("x", 1), g.constant("w", 2)], 3)
    g.result(g.call("y", [mid], 1))
    module = run(g.module(), AOTLowerMain(), AssignPoolInfo())
    assert candidates(module) == {"mid": ("fast", "ram"), "w": ("flash",)}


def test_candidates_by_target():
    pools = (Pool("npu_ram", PoolKind.WORKSPACE, targets=("npu",)), RAM)
    g = Graph(pools=pools)
    mid = g.call("mid", [g.input("x", 1)], 3)
    g.result(g.call("y", [mid], 1))
    assert candidates(run(g.module(), AOTLowerMain(), AssignPoolInfo())) == {"mid": ("ram",)}


def test_rules_narrow_candidates():
    g = Graph(pools=(Pool("fast", PoolKind.WORKSPACE), RAM))
    a = g.call("conv_a", [g.input("x", 1)], 3)
    b = g.call("other", [a], 3)
    g.result(g.call("y", [b], 1))
    rules = (PlacementRule("conv_*", ("ram",)),)
    module = run(g.module(), AOTLowerMain(), AssignPoolInfo(rules))
    assert candidates(module) == {"conv_a": ("ram",), "other": ("fast", "ram")}


def test_no_pool_for_constants():
    g = Graph(pools=(RAM,))
    g.result(g.call("y", [g.constant("w", 2)], 1))
    with pytest.raises(NoCandidatePoolError, match="no constant pool takes `w`"):
        AssignPoolInfo().run(AOTLowerMain().run(g.module()))


def test_rule_with_an_unknown_pool():
    module = AOTLowerMain().run(chain([1, 2, 3]))
    with pytest.raises(UnknownPoolError, match="no pool `rom`"):
        AssignPoolInfo((PlacementRule("*", ("rom",)),)).run(module)
