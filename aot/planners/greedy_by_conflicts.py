"""greedy_by_conflicts: the buffer with the most conflicts first."""

from __future__ import annotations

from dataclasses import dataclass

from aot.ir.pools import BufferInfo, MemoryPlan, Pool
from aot.planners.base import memory_plan
from aot.planners.placement import place_all, split


@dataclass(frozen=True)
class GreedyByConflicts:
    """Equally many conflicts go by size, then in the order of the keys."""

    name: str = "greedy_by_conflicts"

    def plan(self, buffers: tuple[BufferInfo, ...], pools: tuple[Pool, ...]) -> MemoryPlan:
        constants, workspace = split(buffers)
        workspace.sort(key=lambda b: (-len(b.conflicts), -b.bytes))
        return memory_plan(self.name, place_all([*constants, *workspace], pools), pools)
