"""branch_and_bound: exact where its budget suffices, starting from the greedy plans."""

from __future__ import annotations

from dataclasses import dataclass, field

from aot.ir.pools import Assignment, BufferInfo, BufferKey, MemoryPlan, Pool
from aot.planners.base import align, memory_plan
from aot.planners.hill_climb import HillClimb
from aot.planners.lower_bound import peak_live_bytes
from aot.planners.orders import greedy_orders
from aot.planners.placement import place_all, split
from aot.planners.score import best_of, score


@dataclass(frozen=True)
class BranchAndBound:
    """The plan of the best greedy order stands where it reaches the lower bound.

    Otherwise hill climbing improves it, and pools that hold at most ``most_buffers`` are searched:
    every plan can be pushed down until each buffer lies at 0 or on a conflicting one, so placing
    buffers in the order of their offsets, each on top of its placed conflicts, reaches an optimal
    one. ``budget`` bounds the nodes.
    """

    name: str = "branch_and_bound"
    budget: int = 20_000
    most_buffers: int = 64

    def plan(self, buffers: tuple[BufferInfo, ...], pools: tuple[Pool, ...]) -> MemoryPlan:
        constants, workspace = split(buffers)
        placed = place_all(constants, pools) if constants else []
        if workspace:
            placed = [*placed, *self._workspace(workspace, pools)]
        return memory_plan(self.name, placed, pools)

    def _workspace(self, workspace: list[BufferInfo], pools: tuple[Pool, ...]) -> list[Assignment]:
        by_key = {b.key: b for b in workspace}
        greedy, _ = best_of(greedy_orders(workspace), pools)
        spilled, total = score(greedy, by_key)
        if not spilled and total == _bound(greedy, by_key):
            return greedy
        climbed = [
            a for a in HillClimb().plan(tuple(workspace), pools).assignments if a.key in by_key
        ]
        improved: list[Assignment] = []
        for pool in pools:
            inside = [a for a in climbed if a.pool == pool.name]
            improved += self._search(pool.name, inside, by_key)
        return improved

    def _search(
        self, pool: str, incumbent: list[Assignment], by_key: dict[BufferKey, BufferInfo]
    ) -> list[Assignment]:
        """The buffers of one pool placed anew where that takes less of it."""
        buffers = [by_key[a.key] for a in incumbent]
        best = max((a.offset + a.bytes for a in incumbent), default=0)
        target = peak_live_bytes(buffers)
        if best <= target or len(buffers) > self.most_buffers:
            return incumbent
        offsets = _Search(buffers, best, target, self.budget).run()
        if offsets is None:
            return incumbent
        return [Assignment(a.key, pool, offsets[a.key], a.bytes) for a in incumbent]


def _bound(placed: list[Assignment], by_key: dict[BufferKey, BufferInfo]) -> int:
    """No plan that puts the buffers into these pools takes less."""
    pools = sorted({a.pool for a in placed})
    return sum(peak_live_bytes([by_key[a.key] for a in placed if a.pool == pool]) for pool in pools)


@dataclass
class _Search:
    """Depth first over the order of offsets, largest buffers first at each depth."""

    buffers: list[BufferInfo]
    best: int
    target: int
    budget: int
    found: dict[BufferKey, int] | None = None
    placed: dict[BufferKey, int] = field(default_factory=dict)

    def run(self) -> dict[BufferKey, int] | None:
        """Offsets of a better plan than the one to beat, None where none turned up."""
        self.buffers = sorted(self.buffers, key=lambda b: (-b.bytes, b.key))
        self.sizes = {b.key: b.bytes for b in self.buffers}
        self._descend((0, -1), 0)
        return self.found

    def _descend(self, floor: tuple[int, int], height: int) -> bool:
        """Places one more buffer; whether the search is over, its target or budget reached.

        Buffers go by offset and, at one offset, by rank, so that no plan is seen twice.
        """
        self.budget -= 1
        if len(self.placed) == len(self.buffers):
            self.best, self.found = height, dict(self.placed)
            return height <= self.target
        options = []
        for rank, buffer in enumerate(self.buffers):
            if buffer.key in self.placed:
                continue
            offset = self._lowest(buffer)
            if offset + buffer.bytes >= self.best:
                return self.budget <= 0
            if (offset, rank) > floor:
                options.append((offset, rank, buffer))
        for offset, rank, buffer in sorted(options, key=lambda o: o[:2]):
            self.placed[buffer.key] = offset
            over = self._descend((offset, rank), max(height, offset + buffer.bytes))
            del self.placed[buffer.key]
            if over or self.budget <= 0:
                return True
        return False

    def _lowest(self, buffer: BufferInfo) -> int:
        """The lowest offset on top of the conflicting buffers placed so far."""
        ends = (self.placed[k] + self.sizes[k] for k in buffer.conflicts if k in self.placed)
        return align(max(ends, default=0), buffer.alignment)
