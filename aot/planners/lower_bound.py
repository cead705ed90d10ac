"""The lower bound of every plan: the most bytes that are live at one point."""

from __future__ import annotations

from collections.abc import Iterable

from aot.ir.pools import BufferInfo


def peak_live_bytes(buffers: Iterable[BufferInfo]) -> int:
    """Bytes live at the busiest program point; no plan for these buffers takes less."""
    return peak((first, last, b.bytes) for b in buffers for first, last in b.live)


def peak(intervals: Iterable[tuple[int, int, int]]) -> int:
    """The same for (first point, last point, bytes), both points included."""
    changes: list[tuple[int, int]] = []
    for first, last, size in intervals:
        changes += [(first, size), (last + 1, -size)]
    live = most = 0
    for _, change in sorted(changes):
        live += change
        most = max(most, live)
    return most
