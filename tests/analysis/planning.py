"""Plans whole modules with used memory annotated."""

from __future__ import annotations

from aot.passes.annotate_used_memory import AnnotateUsedMemory
from aot.passes.aot_lower_main import AOTLowerMain
from aot.passes.usmp.assign_pool_info import AssignPoolInfo
from aot.passes.usmp.convert_pool_allocations_to_offsets import ConvertPoolAllocationsToOffsets
from aot.passes.usmp.create_allocates_for_io import CreateAllocatesForIO
from aot.passes.usmp.plan_memory import PlanMemory
from aot.planners.registry import PLANNERS
from tests.passes.modules import run


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
