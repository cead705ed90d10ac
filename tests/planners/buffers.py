"""Planning problems for the tests, and an oracle that is independent of the planners."""

from __future__ import annotations

from collections.abc import Sequence

from aot.ir.pools import BufferInfo, BufferKey, MemoryPlan, Pool, PoolKind

UNLIMITED = (Pool("ram", PoolKind.WORKSPACE),)


def problem(
    intervals: Sequence[tuple[int, int, int]],
    alignment: int = 1,
    candidates: tuple[str, ...] = ("ram",),
    names: Sequence[str] = (),
) -> tuple[BufferInfo, ...]:
    """Buffers of (first point, last point, bytes); those that share a point conflict."""
    keys = [BufferKey("main", names[i] if names else f"b{i:03}") for i in range(len(intervals))]
    return tuple(
        BufferInfo(
            key,
            size,
            alignment,
            candidates,
            ((first, last),),
            tuple(
                sorted(
                    other
                    for other, (a, b, _) in zip(keys, intervals, strict=True)
                    if other != key and a <= last and first <= b
                )
            ),
            origin=f"operator of {key.buffer}",
        )
        for key, (first, last, size) in zip(keys, intervals, strict=True)
    )


def chain(sizes: Sequence[int]) -> list[tuple[int, int, int]]:
    """Each buffer is written by one operator and read by the next."""
    return [(i, i + 1, size) for i, size in enumerate(sizes)]


def check(
    plan: MemoryPlan, buffers: Sequence[BufferInfo], pools: Sequence[Pool] = UNLIMITED
) -> None:
    """Compares every pair of buffers, point by point where both live."""
    places = {a.key: a for a in plan.assignments}
    assert sorted(places) == sorted(b.key for b in buffers)
    limits = {p.name: p.size_limit for p in pools}
    ends: dict[str, int] = {}
    for b in buffers:
        place = places[b.key]
        assert place.pool in b.candidates
        assert place.bytes == b.bytes
        assert place.offset >= 0
        assert place.offset % b.alignment == 0
        end = place.offset + b.bytes
        limit = limits[place.pool]
        assert limit is None or end <= limit
        ends[place.pool] = max(ends.get(place.pool, 0), end)
    assert {u.pool: u.bytes for u in plan.used} == ends
    for i, a in enumerate(buffers):
        for b in buffers[i + 1 :]:
            if a.kind is not b.kind or places[a.key].pool != places[b.key].pool:
                continue
            alive = a.kind is PoolKind.CONSTANT or any(
                p in range(first, last + 1)
                for first, last in a.live
                for other_first, other_last in b.live
                for p in range(other_first, other_last + 1)
            )
            if alive and a.bytes and b.bytes:
                one, two = places[a.key], places[b.key]
                assert one.offset + a.bytes <= two.offset or two.offset + b.bytes <= one.offset
