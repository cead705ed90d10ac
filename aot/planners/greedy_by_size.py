"""greedy_by_size: the largest buffer first."""

from __future__ import annotations

from dataclasses import dataclass

from aot.ir.pools import BufferInfo, MemoryPlan, Pool
from aot.planners.base import memory_plan
from aot.planners.placement import place_all, split


@dataclass(frozen=True)
class GreedyBySize:
    """Equal sizes go in the order of their keys."""

    name: str = "greedy_by_size"

    def plan(self, buffers: tuple[BufferInfo, ...], pools: tuple[Pool, ...]) -> MemoryPlan:
        constants, workspace = split(buffers)
        workspace.sort(key=lambda b: -b.bytes)
        return memory_plan(self.name, place_all([*constants, *workspace], pools), pools)
