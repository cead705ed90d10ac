"""Orders of placement that are worth a try."""

from __future__ import annotations

from collections.abc import Sequence

from aot.ir.pools import BufferInfo


def greedy_orders(workspace: Sequence[BufferInfo]) -> list[list[BufferInfo]]:
    """By size, by conflicts, by size times lifetime, by first and by last use."""

    def span(b: BufferInfo) -> int:
        return sum(last - first + 1 for first, last in b.live)

    def first(b: BufferInfo) -> int:
        return min((i[0] for i in b.live), default=0)

    def last(b: BufferInfo) -> int:
        return max((i[1] for i in b.live), default=0)

    return [
        sorted(workspace, key=lambda b: (-b.bytes, b.key)),
        sorted(workspace, key=lambda b: (-len(b.conflicts), -b.bytes, b.key)),
        sorted(workspace, key=lambda b: (-b.bytes * span(b), b.key)),
        sorted(workspace, key=lambda b: (-span(b), -b.bytes, b.key)),
        sorted(workspace, key=lambda b: (first(b), -b.bytes, b.key)),
        sorted(workspace, key=lambda b: (-last(b), -b.bytes, b.key)),
    ]
