"""The lower bound of every plan: the most bytes that are live at one point."""

from __future__ import annotations

from collections.abc import Iterable

from aot.ir.pools import BufferInfo


def peak_live_bytes(buffers: Iterable[BufferInfo]) -> int:
    """Bytes live at the busiest program point; no plan for these buffers takes less."""
    changes: list[tuple[int, int]] = []
    for buffer in buffers:
        for first, last in buffer.live:
            changes += [(first, buffer.bytes), (last + 1, -buffer.bytes)]
    live = peak = 0
    for _, change in sorted(changes):
        live += change
        peak = max(peak, live)
    return peak
