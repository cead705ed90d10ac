"""What a planning algorithm is, and the plan it hands back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from aot.errors import MicroaotError
from aot.ir.pools import Assignment, BufferInfo, MemoryPlan, Pool, PoolUse


class Planner(Protocol):
    """A memory planning algorithm; any object with these two serves."""

    @property
    def name(self) -> str:
        """What ``--planner`` and the plan call it."""

    def plan(self, buffers: tuple[BufferInfo, ...], pools: tuple[Pool, ...]) -> MemoryPlan:
        """A place for every buffer, whatever their order in ``buffers``.

        Raises PoolTooSmallError where they do not all fit.
        """


class PoolTooSmallError(MicroaotError):
    """Buffers that do not fit into the pools they may live in."""


def memory_plan(
    algorithm: str, assignments: Iterable[Assignment], pools: tuple[Pool, ...]
) -> MemoryPlan:
    """The plan of ``assignments``, in canonical order, with the bytes that each pool needs."""
    ordered = tuple(sorted(assignments, key=lambda a: a.key))
    ends: dict[str, int] = {}
    for a in ordered:
        ends[a.pool] = max(ends.get(a.pool, 0), a.offset + a.bytes)
    used = tuple(PoolUse(p.name, ends[p.name]) for p in pools if p.name in ends)
    return MemoryPlan(algorithm, ordered, used)


def align(offset: int, alignment: int) -> int:
    """The least multiple of ``alignment`` that is not below ``offset``."""
    return -(-offset // alignment) * alignment
