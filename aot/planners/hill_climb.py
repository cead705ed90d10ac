"""hill_climb: improves the order of placement, step by step, from the greedy ones."""

from __future__ import annotations

import random
from dataclasses import dataclass

from aot.ir.pools import Assignment, BufferInfo, MemoryPlan, Pool
from aot.planners.base import PoolTooSmallError, memory_plan
from aot.planners.lower_bound import peak_live_bytes
from aot.planners.orders import greedy_orders
from aot.planners.placement import place_all, split
from aot.planners.score import best_of, score


@dataclass(frozen=True)
class HillClimb:
    """Each step moves a buffer that ends at the top of its pool, or one below it, to another
    turn, and keeps the order where the plan did not get worse.

    ``seed`` makes the walk repeatable; ``budget`` bounds the placements of single buffers.
    """

    name: str = "hill_climb"
    seed: int = 1
    budget: int = 60_000

    def plan(self, buffers: tuple[BufferInfo, ...], pools: tuple[Pool, ...]) -> MemoryPlan:
        constants, workspace = split(buffers)
        placed = place_all(constants, pools) if constants else []
        if workspace:
            placed = [*placed, *self._climb(workspace, pools)]
        return memory_plan(self.name, placed, pools)

    def _climb(self, workspace: list[BufferInfo], pools: tuple[Pool, ...]) -> list[Assignment]:
        by_key = {b.key: b for b in workspace}
        best, start = best_of(greedy_orders(workspace), pools)
        order, reached = list(start), score(best, by_key)
        perfect = (0, peak_live_bytes(workspace))
        current, rng = best, random.Random(self.seed)
        for _ in range(self.budget // len(workspace)):
            if reached == perfect:
                break
            top = max(current, key=lambda a: (a.offset + a.bytes, a.key))
            blockers = [by_key[top.key], *(by_key[k] for k in by_key[top.key].conflicts)]
            moved = rng.choice(blockers)
            trial = [b for b in order if b is not moved]
            trial.insert(rng.randrange(len(order)), moved)
            try:
                placed = place_all(trial, pools)
            except PoolTooSmallError:
                continue
            found = score(placed, by_key)
            if found <= reached:
                order, current, reached = trial, placed, found
        return current
