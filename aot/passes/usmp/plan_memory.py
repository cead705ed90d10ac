"""usmp.PlanMemory: buffer info in, memory plan out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from aot.analysis.buffer_info import buffer_info
from aot.ir.module import IRModule
from aot.passes.base import ModulePass
from aot.planners.base import Planner


@dataclass(frozen=True)
class PlanMemory(ModulePass):
    """Asks ``algorithm`` for the place of every allocation of the module."""

    name: ClassVar[str] = "usmp.PlanMemory"
    algorithm: Planner

    def run(self, module: IRModule) -> IRModule:
        buffers = buffer_info(module).buffers
        return replace(module, plan=self.algorithm.plan(buffers, module.pools))
