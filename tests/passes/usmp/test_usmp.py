"""The USMP passes one by one, and together."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from aot.analysis.plan_check import MisplacedError, OverlapError, check_plan
from aot.ir.module import Stage
from aot.ir.pools import BufferKey, Pool, PoolKind
from aot.ir.tir import (
    Allocate,
    AllocateConst,
    For,
    Interface,
    Invoke,
    ParamRole,
    PoolView,
)
from aot.ir.visitor import rewrite, walk
from aot.passes.aot_lower_main import AOTLowerMain
from aot.passes.convert_for_loops_to_serial import ConvertForLoopsToSerial
from aot.passes.usmp.assign_pool_info import (
    AssignPoolInfo,
    NoCandidatePoolError,
    PlacementRule,
    UnknownPoolError,
)
from aot.passes.usmp.convert_pool_allocations_to_offsets import (
    ConvertPoolAllocationsToOffsets,
    NoPlanError,
)
from aot.passes.usmp.create_allocates_for_io import CreateAllocatesForIO
from aot.passes.usmp.plan_memory import PlanMemory
from aot.planners.base import PoolTooSmallError
from aot.planners.registry import PLANNERS, planner
from tests.passes.modules import FLASH, RAM, Graph, chain, run

EVERY = pytest.mark.parametrize("algorithm", PLANNERS, ids=lambda p: p.name)


def planned(module, *, algorithm=PLANNERS[0], io=False, rules=()):
    module = run(
        module,
        AOTLowerMain(),
        ConvertForLoopsToSerial(),
        *((CreateAllocatesForIO(),) if io else ()),
        AssignPoolInfo(rules),
        PlanMemory(algorithm),
        ConvertPoolAllocationsToOffsets(),
    )
    assert module.stage is Stage.PLANNED
    check_plan(module)
    return module


def views(module, function="main"):
    return {
        s.buffer.name: (s.pool.name, s.offset)
        for s in walk(module.function(function).body)
        if isinstance(s, PoolView)
    }


def candidates(module):
    return {
        s.buffer.name: s.candidates
        for f in module.prim_funcs
        for s in walk(f.body)
        if isinstance(s, Allocate | AllocateConst)
    }


@pytest.mark.parametrize(("inputs", "outputs"), [(1, 1), (1, 2), (2, 1), (2, 2)])
def test_create_allocates_for_io(inputs, outputs):
    g = Graph()
    sources = [g.input(f"x{i}", 4 + i) for i in range(inputs)]
    for i in range(outputs):
        g.result(g.call(f"y{i}", sources, 8 + i))
    module = run(g.module(), AOTLowerMain(), CreateAllocatesForIO())
    assert module.main.params == ()
    made = [s for s in module.main.body.body if isinstance(s, Allocate)]
    assert [(s.buffer.type.bytes, s.io) for s in made] == [
        *((4 + i, Interface(ParamRole.INPUT, f"x{i}", f"x{i}")) for i in range(inputs)),
        *((8 + i, Interface(ParamRole.OUTPUT, f"y{i}", f"y{i}")) for i in range(outputs)),
    ]


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


def test_io_in_pools():
    module = planned(chain([64, 16, 64]), io=True)
    assert [p.name for p in module.main.params] == ["ram"]
    inside = [s for s in module.main.body.body if isinstance(s, PoolView) and s.io]
    assert [(s.io.role, s.io.name) for s in inside] == [
        (ParamRole.INPUT, "x"),
        (ParamRole.OUTPUT, "y"),
    ]
    # The input is dead when the output is written: they share 64 bytes.
    assert module.plan.bytes_used("ram") == 80


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


def moved(module, name, offset):
    """``module`` with a view at another offset, and a plan that says the same."""

    def move(s):
        return replace(s, offset=offset) if isinstance(s, PoolView) and s.buffer.name == name else s

    plan = replace(
        module.plan,
        assignments=tuple(
            replace(a, offset=offset) if a.key.buffer == name else a
            for a in module.plan.assignments
        ),
    )
    main = replace(module.main, body=rewrite(module.main.body, move))
    return replace(module.with_function(main), plan=plan)


def test_plan_check_finds_an_overlap():
    module = planned(chain([5, 16, 16, 7]))
    places = views(module)
    with pytest.raises(OverlapError, match="live at point 1"):
        check_plan(moved(module, "t1", places["t0"][1]))


def test_plan_check_finds_a_view_that_contradicts_the_plan():
    module = planned(chain([5, 16, 16, 7]))
    with pytest.raises(MisplacedError, match="elsewhere than the plan says"):
        check_plan(replace(moved(module, "t0", 4), plan=module.plan))


def test_plan_check_finds_a_broken_limit():
    module = planned(chain([5, 16, 16, 7]))
    pools = (replace(RAM, size_limit=20), FLASH)
    with pytest.raises(MisplacedError, match="beyond the limit of 20"):
        check_plan(replace(module, pools=pools))


def test_plan_check_finds_a_wrong_target():
    module = planned(chain([5, 16, 16, 7]))
    with pytest.raises(MisplacedError, match="does not serve target scalar"):
        check_plan(replace(module, pools=(replace(RAM, targets=("npu",)), FLASH)))


def test_loops_are_serial_before_planning():
    g = Graph()
    g.result(g.call("y", [g.input("x", 1)], 1, scratch=8, parallel=4))
    module = planned(g.module())
    assert any(isinstance(s, For) for s in walk(module.function("make_y").body))
    assert module.plan.bytes_used("ram") == 8
