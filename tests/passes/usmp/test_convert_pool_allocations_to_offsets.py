"""usmp.ConvertPoolAllocationsToOffsets: views, pool parameters, images."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from aot.ir.pools import BufferKey, Pool, PoolKind
from aot.ir.tir import (
    AllocateConst,
    Invoke,
    ParamRole,
)
from aot.passes.aot_lower_main import AOTLowerMain
from aot.passes.usmp.assign_pool_info import (
    AssignPoolInfo,
)
from aot.passes.usmp.convert_pool_allocations_to_offsets import (
    ConvertPoolAllocationsToOffsets,
    NoPlanError,
)
from aot.passes.usmp.plan_memory import PlanMemory
from aot.planners.registry import planner
from tests.passes.modules import FLASH, RAM, Graph, chain
from tests.passes.usmp.planning import planned, views


def test_scratch_is_planned_and_passed():
    g = Graph()
    mid = g.call("mid", [g.input("x", 1)], 8, scratch=100)
    g.result(g.call("y", [mid], 1))
    module = planned(g.module())
    assert [p.name for p in module.function("make_mid").params] == ["in0", "out", "ram"]
    assert [p.name for p in module.function("make_y").params] == ["in0", "out"]
    (own,) = views(module, "make_mid").values()
    (place,) = views(module).values()
    # mid and the scratch live together.
    assert {own[1], place[1]} in ({0, 8}, {0, 100})
    call = next(s for s in module.main.body.body if isinstance(s, Invoke))
    assert [b.name for b in call.args] == ["x", "mid", "ram"]


def test_scratch_of_a_kernel_called_twice_has_one_place():
    g = Graph()
    a = g.call("a", [g.input("x", 4)], 4, kernel_name="same", scratch=64)
    b = g.call("b", [a], 4, kernel_name="same")
    g.result(g.call("y", [b], 1))
    module = planned(g.module())
    # During the second call a, b and the scratch live.
    assert module.plan.bytes_used("ram") == 72


def test_constants_stay_in_flash():
    g = Graph()
    g.result(g.call("y", [g.input("x", 1), g.constant("w", 6)], 1))
    module = planned(g.module())
    (constant,) = [s for s in module.main.body.body if isinstance(s, AllocateConst)]
    assert constant.candidates == ("flash",)
    assert module.images == ()
    assert [p.name for p in module.main.params] == ["x", "y"]


def test_constants_in_ram_become_images():
    tcm = Pool("tcm", PoolKind.CONSTANT, 8)
    g = Graph(pools=(RAM, tcm, FLASH))
    mid = g.call("mid", [g.input("x", 1), g.constant("hot", 6)], 2)
    g.result(g.call("y", [mid, g.constant("cold", 6)], 1))
    module = planned(g.module())
    # 6 of 8 bytes hold `cold`, the first by name; `hot` stays in flash.
    (image,) = module.images
    assert (image.key, image.pool, image.offset) == (BufferKey("main", "cold"), "tcm", 0)
    assert views(module)["cold"] == ("tcm", 0)
    assert [(p.name, p.role) for p in module.main.params][2:] == [
        ("ram", ParamRole.WORKSPACE_POOL),
        ("tcm", ParamRole.CONSTANT_POOL),
    ]


def test_offsets_need_a_plan():
    module = AssignPoolInfo().run(AOTLowerMain().run(chain([1, 2, 3])))
    with pytest.raises(NoPlanError, match="no memory plan"):
        ConvertPoolAllocationsToOffsets().run(module)


def test_every_allocation_needs_a_place():
    @dataclass(frozen=True)
    class Forgetful:
        name: str = "forgetful"

        def plan(self, buffers, pools):
            return planner("greedy_by_size").plan(buffers[1:], pools)

    module = AssignPoolInfo().run(AOTLowerMain().run(chain([1, 2, 3, 4])))
    module = PlanMemory(Forgetful()).run(module)
    with pytest.raises(NoPlanError, match="`t0` has no place"):
        ConvertPoolAllocationsToOffsets().run(module)
