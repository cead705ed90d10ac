"""Plans whole modules, and reads the places out of them."""

from __future__ import annotations

from aot.analysis.plan_check import check_plan
from aot.ir.module import Stage
from aot.ir.tir import (
    PoolView,
)
from aot.ir.visitor import walk
from aot.passes.aot_lower_main import AOTLowerMain
from aot.passes.convert_for_loops_to_serial import ConvertForLoopsToSerial
from aot.passes.usmp.assign_pool_info import (
    AssignPoolInfo,
)
from aot.passes.usmp.convert_pool_allocations_to_offsets import (
    ConvertPoolAllocationsToOffsets,
)
from aot.passes.usmp.create_allocates_for_io import CreateAllocatesForIO
from aot.passes.usmp.plan_memory import PlanMemory
from aot.planners.registry import PLANNERS
from tests.passes.modules import run


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
