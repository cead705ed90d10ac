"""Executor metadata, compared whole."""

from __future__ import annotations

from dataclasses import replace

from aot.analysis.executor_metadata import (
    ExecutorMetadata,
    IoAllocation,
    PoolInfo,
    TensorInfo,
    executor_metadata,
)
from aot.ir.pools import Pool, PoolKind
from aot.ir.target import Target
from aot.ir.tir import CallingConvention, ParamRole
from aot.passes.aot_lower_main import AOTLowerMain
from tests.analysis.planning import planned
from tests.passes.modules import FLASH, RAM, Graph, chain, run, tensor


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
