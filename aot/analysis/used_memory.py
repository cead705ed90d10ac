"""Used memory: workspace bytes that are live during each call of main."""

from __future__ import annotations

from aot.analysis.liveness import liveness
from aot.ir.module import IRModule
from aot.ir.tir import AllocateConst


def live_bytes_at_calls(module: IRModule) -> tuple[int, ...]:
    """Per Invoke of main, in order: intermediates live there and what the kernel allocates.

    Interface tensors that the caller owns are not counted, nor are constants.
    """
    lives = liveness(module)
    change = [0] * (lives.end + 2)
    for life in lives.lifetimes:
        if not isinstance(life.declaration, AllocateConst):
            for first, last in life.intervals:
                change[first] += life.bytes
                change[last + 1] -= life.bytes
    live = [0] * (lives.end + 1)
    total = 0
    for point in range(lives.end + 1):
        total += change[point]
        live[point] = total
    return tuple(live[point] for _, point in lives.calls)
