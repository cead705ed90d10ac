"""Function and executor metadata, compared whole."""

from __future__ import annotations

from dataclasses import replace

from aot.analysis.executor_metadata import (
    ExecutorMetadata,
    IoAllocation,
    PoolInfo,
    TensorInfo,
    executor_metadata,
)
from aot.analysis.function_metadata import FunctionMetadata, function_metadata
from aot.analysis.memory_summary import memory_summary
from aot.analysis.operator_table import operator_table
from aot.ir.pools import Pool, PoolKind
from aot.ir.target import Target
from aot.ir.tir import CallingConvention, ParamRole
from aot.passes.annotate_used_memory import AnnotateUsedMemory
from aot.passes.aot_lower_main import AOTLowerMain
from aot.passes.usmp.assign_pool_info import AssignPoolInfo
from aot.passes.usmp.convert_pool_allocations_to_offsets import ConvertPoolAllocationsToOffsets
from aot.passes.usmp.create_allocates_for_io import CreateAllocatesForIO
from aot.passes.usmp.plan_memory import PlanMemory
from aot.planners.registry import PLANNERS
from tests.passes.modules import FLASH, RAM, Graph, chain, run, tensor


def planned(module, io=False):
    return run(
        module,
        AOTLowerMain(),
        AnnotateUsedMemory(),
        *((CreateAllocatesForIO(),) if io else ()),
        AssignPoolInfo(),
        PlanMemory(PLANNERS[0]),
        ConvertPoolAllocationsToOffsets(),
    )


def test_workspace_only():
    module = run(chain([5, 10, 20, 7]), AOTLowerMain())
    assert function_metadata(module) == (
        FunctionMetadata("make_t0", "scalar", 0, 15, 0),
        FunctionMetadata("make_t1", "scalar", 0, 30, 0),
        FunctionMetadata("make_y", "scalar", 0, 27, 0),
        FunctionMetadata("main", "scalar", 30, 12, 0),
    )


def test_constants_only():
    g = Graph()
    g.result(g.call("y", [g.constant("w", 6)], 4))
    module = run(g.module(), AOTLowerMain())
    assert function_metadata(module)[-1] == FunctionMetadata("main", "scalar", 0, 4, 6)


def test_module_pools():
    # Planned, main's workspace is what the pools hold: t0 at 0, t1 at 12 for its alignment of 4.
    module = planned(chain([5, 10, 20, 7]))
    main = function_metadata(module)[-1]
    assert main == FunctionMetadata("main", "scalar", module.plan.bytes_used("ram"), 12, 0)
    assert module.plan.bytes_used("ram") in (30, 32)


def test_a_kernels_own_workspace():
    g = Graph()
    g.result(g.call("y", [g.input("x", 2)], 3, scratch=50))
    before = function_metadata(run(g.module(), AOTLowerMain()))
    assert before == (
        FunctionMetadata("make_y", "scalar", 50, 5, 0),
        FunctionMetadata("main", "scalar", 50, 5, 0),
    )
    assert function_metadata(planned(g.module())) == before


def test_several_targets():
    g = Graph()
    mid = g.call("mid", [g.input("x", 2)], 3, target=Target("npu"))
    g.result(g.call("y", [mid], 1))
    found = function_metadata(run(g.module(), AOTLowerMain()))
    assert [(f.function, f.target) for f in found] == [
        ("make_mid", "npu"),
        ("make_y", "scalar"),
        ("main", "scalar"),
    ]


def test_constants_in_ram_count_as_constants():
    g = Graph(pools=(RAM, Pool("tcm", PoolKind.CONSTANT)))
    g.result(g.call("y", [g.input("x", 1), g.constant("w", 6)], 1))
    assert function_metadata(planned(g.module()))[-1] == FunctionMetadata("main", "scalar", 0, 2, 6)


def metadata(**changes) -> ExecutorMetadata:
    base = ExecutorMetadata(
        module_name="m",
        executor="aot",
        interface="c",
        convention=CallingConvention.UNPACKED,
        inputs=(TensorInfo("x", "x", tensor(5)),),
        outputs=(TensorInfo("y", "y", tensor(7)),),
        workspace_pools=(),
        constant_pools=(),
        io_allocations=(),
        devices=(),
        workspace_alignment=1,
        constant_alignment=1,
    )
    return replace(base, **changes)


def test_executor_without_a_plan():
    module = run(chain([5, 10, 7]), AOTLowerMain())
    assert executor_metadata(module) == metadata()


def test_executor_with_one_pool():
    module = planned(chain([5, 10, 7]))
    assert executor_metadata(module) == metadata(
        workspace_pools=(PoolInfo("ram", RAM, 10),), workspace_alignment=16
    )


def test_executor_with_several_pools_and_constants():
    fast = Pool("fast", PoolKind.WORKSPACE, 8, alignment=32)
    tcm = Pool("tcm", PoolKind.CONSTANT, 4, alignment=8)
    g = Graph(pools=(fast, RAM, tcm, FLASH))
    a = g.call("a", [g.input("x", 5), g.constant("w", 3)], 8)
    g.result(g.call("y", [g.call("b", [a, g.constant("v", 30)], 9)], 7))
    assert executor_metadata(planned(g.module())) == metadata(
        workspace_pools=(PoolInfo("fast", fast, 8), PoolInfo("ram", RAM, 9)),
        constant_pools=(PoolInfo("tcm", tcm, 3),),
        workspace_alignment=32,
        constant_alignment=4,
    )


def test_executor_with_io_in_pools():
    module = planned(chain([5, 10, 7]), io=True)
    places = {a.key.buffer: a.offset for a in module.plan.assignments}
    assert executor_metadata(module) == metadata(
        workspace_pools=(PoolInfo("ram", RAM, module.plan.bytes_used("ram")),),
        io_allocations=(
            IoAllocation("x", ParamRole.INPUT, "ram", places["x"], 5),
            IoAllocation("y", ParamRole.OUTPUT, "ram", places["y"], 7),
        ),
        workspace_alignment=16,
    )


def test_executor_with_the_packed_convention():
    module = run(chain([5, 10, 7]), AOTLowerMain(CallingConvention.PACKED))
    assert executor_metadata(module) == metadata(convention=CallingConvention.PACKED)


def test_executor_with_a_device():
    g = Graph(target=Target("npu", devices=("npu-0",)))
    g.result(g.call("y", [g.input("x", 5)], 7))
    assert executor_metadata(run(g.module(), AOTLowerMain())).devices == ("npu_0",)


def test_operator_table():
    g = Graph()
    mid = g.call("mid", [g.input("x", 5), g.constant("w", 3)], 8)
    g.result(g.call("y", [mid], 7))
    rows = operator_table(planned(g.module()))
    assert [(r.index, r.operator, r.origin, r.macs) for r in rows] == [
        (0, "MAKE_MID", "MID #0", 8),
        (1, "MAKE_Y", "Y #1", 7),
    ]
    assert [(r.shape, r.weight_bytes, r.live_bytes, r.is_peak) for r in rows] == [
        ((8,), 3, 8, True),
        ((7,), 0, 8, False),
    ]


def test_memory_summary():
    summary = memory_summary(planned(chain([64, 16, 32])))
    # Busiest: input and t0 at the first call, 80; t0 and the output at the second, 48.
    assert (summary.workspace, summary.io, summary.io_outside, summary.lower_bound) == (
        *(16, 96, 96, 80),
    )
    inside = memory_summary(planned(chain([64, 16, 32]), io=True))
    assert (inside.workspace, inside.io, inside.io_outside, inside.lower_bound) == (80, 96, 0, 80)
