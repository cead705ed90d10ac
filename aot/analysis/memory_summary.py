"""What a planned module takes of each pool, against what no plan could go below."""

from __future__ import annotations

from dataclasses import dataclass

from aot.analysis.function_metadata import function_metadata
from aot.analysis.liveness import liveness
from aot.ir.module import IRModule
from aot.ir.pools import Pool
from aot.ir.tir import AllocateConst, ParamRole
from aot.planners.lower_bound import peak


@dataclass(frozen=True)
class PoolSummary:
    """Bytes used of a pool and its limit, None where it has none."""

    pool: Pool
    bytes: int


@dataclass(frozen=True)
class MemorySummary:
    """Bytes of a planned module.

    ``io`` counts the interface tensors wherever they live, ``io_outside`` those that the caller
    owns, ``workspace`` the workspace pools as planned. ``lower_bound`` is the most that
    intermediates and interface tensors have live at one operator when an input dies with its
    last reader: what the workspace can reach with the interface in the pools.
    """

    pools: tuple[PoolSummary, ...]
    weights: int
    io: int
    io_outside: int
    workspace: int
    lower_bound: int


def memory_summary(module: IRModule) -> MemorySummary:
    """The summary of a PLANNED module."""
    plan = module.plan
    assert plan is not None, "a planned module has a plan"
    functions = {f.function: f for f in function_metadata(module)}
    outside = module.main.buffers(ParamRole.INPUT, ParamRole.OUTPUT)
    return MemorySummary(
        tuple(PoolSummary(p, plan.bytes_used(p.name)) for p in module.pools),
        sum(f.constant_bytes for f in functions.values()),
        functions[module.entry].io_bytes,
        sum(b.type.bytes for b in outside),
        functions[module.entry].workspace_bytes,
        _lower_bound(module),
    )


def _lower_bound(module: IRModule) -> int:
    """The busiest call, interface tensors counted from their first to their last use, inputs
    from the start and outputs to the end."""
    lives = liveness(module)
    images = {i.key for i in module.images}
    intervals = [
        (first, last, life.bytes)
        for life in lives.lifetimes
        if not isinstance(life.declaration, AllocateConst) and life.key not in images
        for first, last in life.intervals
    ]
    main = module.main
    points: dict[str, list[int]] = {}
    for call, point in lives.calls:
        for buffer in call.args:
            points.setdefault(buffer.name, []).append(point)
    for param in main.params:
        touched = points.get(param.buffer.name, [])
        if param.role is ParamRole.INPUT:
            intervals.append((0, max(touched, default=0), param.buffer.type.bytes))
        elif param.role is ParamRole.OUTPUT:
            intervals.append((min(touched, default=0), lives.end, param.buffer.type.bytes))
    return peak(intervals)
