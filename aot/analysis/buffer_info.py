"""Buffer info: what the memory planner must know about every allocation."""

from __future__ import annotations

from dataclasses import dataclass

from aot.analysis.liveness import Lifetime, liveness
from aot.ir.module import IRModule
from aot.ir.pools import BufferInfo, BufferKey, PoolKind
from aot.ir.tir import AllocateConst, PoolView
from aot.planners.lower_bound import peak_live_bytes


@dataclass(frozen=True)
class BufferInfoResult:
    """Buffers sorted by key, and the memory pressure: the most workspace live at one point."""

    buffers: tuple[BufferInfo, ...]
    pressure: int


def buffer_info(module: IRModule) -> BufferInfoResult:
    """Every allocation that is not placed yet, with its conflicts.

    Workspace buffers conflict where they are live at one point.
    """
    lifetimes = [
        life for life in liveness(module).lifetimes if not isinstance(life.declaration, PoolView)
    ]
    conflicts = _conflicts(lifetimes)
    buffers = tuple(
        sorted((_info(life, conflicts[life.key]) for life in lifetimes), key=lambda b: b.key)
    )
    workspace = (b for b in buffers if b.kind is PoolKind.WORKSPACE)
    return BufferInfoResult(buffers, peak_live_bytes(workspace))


def _info(life: Lifetime, conflicts: tuple[BufferKey, ...]) -> BufferInfo:
    declaration = life.declaration
    assert not isinstance(declaration, PoolView), "placed buffers are left out"
    constant = isinstance(declaration, AllocateConst)
    return BufferInfo(
        life.key,
        life.bytes,
        declaration.alignment,
        declaration.candidates,
        life.intervals,
        conflicts,
        PoolKind.CONSTANT if constant else PoolKind.WORKSPACE,
        "" if isinstance(declaration, AllocateConst) else declaration.origin,
    )


def _conflicts(lifetimes: list[Lifetime]) -> dict[BufferKey, tuple[BufferKey, ...]]:
    """Workspace that lives at one point with each key, by sweeping over the intervals."""
    found: dict[BufferKey, set[BufferKey]] = {life.key: set() for life in lifetimes}
    intervals = sorted(
        (first, last, life.key)
        for life in lifetimes
        if not isinstance(life.declaration, AllocateConst)
        for first, last in life.intervals
    )
    active: list[tuple[int, BufferKey]] = []
    for first, last, key in intervals:
        active = [(end, other) for end, other in active if end >= first]
        for _, other in active:
            if other != key:
                found[key].add(other)
                found[other].add(key)
        active.append((last, key))
    return {key: tuple(sorted(others)) for key, others in found.items()}
