"""Places buffers one at a time, each into the lowest gap of the first pool that has one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from aot.ir.pools import Assignment, BufferInfo, BufferKey, Pool, PoolKind
from aot.planners.base import PoolTooSmallError, align


class Placement:
    """Buffers placed so far. Conflicting buffers never overlap, each offset respects the
    buffer's own alignment, and a pool that has no room is passed over for good."""

    def __init__(self, pools: tuple[Pool, ...]) -> None:
        self._pools = {p.name: p for p in pools}
        self._ends: dict[str, int] = {}
        self.assignments: dict[BufferKey, Assignment] = {}

    def place(self, buffer: BufferInfo) -> Assignment | None:
        """Where ``buffer`` went, None where no candidate has room."""
        for name in buffer.candidates:
            offset = self._offset(buffer, name)
            limit = self._pools[name].size_limit
            if limit is None or offset + buffer.bytes <= limit:
                assignment = Assignment(buffer.key, name, offset, buffer.bytes)
                self.assignments[buffer.key] = assignment
                end = offset + buffer.bytes
                self._ends[name] = max(self._ends.get(name, 0), end)
                return assignment
        return None

    def _offset(self, buffer: BufferInfo, pool: str) -> int:
        """The lowest aligned offset that no conflicting buffer of ``pool`` overlaps."""
        if buffer.kind is PoolKind.CONSTANT:
            return align(self._ends.get(pool, 0), buffer.alignment)
        taken = sorted(
            (other.offset, other.offset + other.bytes)
            for key in buffer.conflicts
            if (other := self.assignments.get(key)) is not None and other.pool == pool
        )
        offset = 0
        for start, end in taken:
            if offset + buffer.bytes <= start:
                break
            offset = max(offset, align(end, buffer.alignment))
        return offset


def place_all(order: Sequence[BufferInfo], pools: tuple[Pool, ...]) -> list[Assignment]:
    """All buffers placed in ``order``; PoolTooSmallError where one finds no room."""
    placement = Placement(pools)
    for buffer in order:
        if placement.place(buffer) is None:
            raise _too_small(buffer, order, pools)
    return list(placement.assignments.values())


def split(buffers: Iterable[BufferInfo]) -> tuple[list[BufferInfo], list[BufferInfo]]:
    """Constants, which need no search because all of them conflict, and workspace, by key."""
    ordered = sorted(buffers, key=lambda b: b.key)
    return (
        [b for b in ordered if b.kind is PoolKind.CONSTANT],
        [b for b in ordered if b.kind is PoolKind.WORKSPACE],
    )


def _too_small(
    buffer: BufferInfo, order: Sequence[BufferInfo], pools: tuple[Pool, ...]
) -> PoolTooSmallError:
    """Says what each pool would have to hold if its limit were lifted."""
    where = buffer.origin or f"buffer {buffer.key}"
    if not buffer.candidates:
        return PoolTooSmallError(
            f"buffer {buffer.key} of {buffer.bytes} bytes has no candidate pool", where=where
        )
    last = buffer.candidates[-1]
    lifted = tuple(replace(p, size_limit=None) if p.name == last else p for p in pools)
    placement = Placement(lifted)
    for other in order:
        placement.place(other)
    ends = [a.offset + a.bytes for a in placement.assignments.values() if a.pool == last]
    limits = {p.name: p.size_limit for p in pools}
    need, limit = max(ends), limits[last] or 0
    others = "".join(f", after pool `{name}` is full" for name in buffer.candidates[:-1])
    return PoolTooSmallError(
        f"pool `{last}` is {need - limit} bytes too small: it needs {need} and has {limit}"
        f"{others}; buffer `{buffer.key.buffer}` ({buffer.bytes} bytes) finds no room",
        where=where,
        remedy="enlarge the pool, add another, or use a smaller model",
    )
