"""Compares placements: a lower score is a better plan."""

from __future__ import annotations

from collections.abc import Sequence

from aot.ir.pools import Assignment, BufferInfo, BufferKey, Pool
from aot.planners.base import PoolTooSmallError
from aot.planners.placement import place_all

Score = tuple[int, int]
"""Bytes in pools that are not a buffer's first choice, then bytes that the pools take."""


def score(assignments: Sequence[Assignment], buffers: dict[BufferKey, BufferInfo]) -> Score:
    """The score of a placement of ``buffers``."""
    spilled = sum(a.bytes for a in assignments if a.pool != buffers[a.key].candidates[0])
    ends: dict[str, int] = {}
    for a in assignments:
        ends[a.pool] = max(ends.get(a.pool, 0), a.offset + a.bytes)
    return spilled, sum(ends.values())


def best_of(
    orders: Sequence[Sequence[BufferInfo]], pools: tuple[Pool, ...]
) -> tuple[list[Assignment], Sequence[BufferInfo]]:
    """The best placement among ``orders`` of the same buffers, and the order that gave it.

    Raises the PoolTooSmallError of the first order where none of them fits.
    """
    buffers = {b.key: b for b in orders[0]}
    failure: PoolTooSmallError | None = None
    best: tuple[Score, list[Assignment], Sequence[BufferInfo]] | None = None
    for order in orders:
        try:
            placed = place_all(order, pools)
        except PoolTooSmallError as error:
            failure = failure or error
            continue
        found = score(placed, buffers)
        if best is None or found < best[0]:
            best = (found, placed, order)
    if best is None:
        assert failure is not None, "every order failed"
        raise failure
    return best[1], best[2]
