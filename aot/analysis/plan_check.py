"""Proves a memory plan from the planned module alone, whatever algorithm made it."""

from __future__ import annotations

from aot.analysis.liveness import Lifetime, liveness
from aot.ir.module import IRModule
from aot.ir.pools import Assignment, BufferKey, Pool
from aot.ir.tir import ParamRole, PoolView, PrimFunc
from aot.ir.verifier import VerificationError


class OverlapError(VerificationError):
    """Two buffers that live at one point share bytes."""


class MisplacedError(VerificationError):
    """A buffer whose offset breaks its alignment, its pool's limit or the pool's targets."""


def check_plan(module: IRModule) -> None:
    """Raises OverlapError or MisplacedError where the views of a PLANNED module are wrong."""
    by_buffer = _pools_by_parameter(module)
    constants = {image.key for image in module.images}
    assert module.plan is not None, "the verifier has seen a plan"
    places = {a.key: a for a in module.plan.assignments}
    placed: dict[str, list[tuple[int, int, Lifetime]]] = {}
    for life in liveness(module).lifetimes:
        view = life.declaration
        if not isinstance(view, PoolView):
            continue
        pool = by_buffer[view.pool.name]
        _check_place(module, places, life, view, pool)
        intervals = ((0, 1 << 62),) if life.key in constants else life.intervals
        for first, last in intervals:
            placed.setdefault(pool.name, []).append((first, last, life))
    for name in sorted(placed):
        _check_overlaps(name, placed[name])


def _pools_by_parameter(module: IRModule) -> dict[str, Pool]:
    """The pool behind each of main's pool parameters, which follow the order of the pools."""
    roles = (ParamRole.WORKSPACE_POOL, ParamRole.CONSTANT_POOL)
    assert module.plan is not None, "the verifier has seen a plan"
    names = [p.name for p in module.pools if module.plan.bytes_used(p.name) and not p.read_only]
    buffers = module.main.buffers(*roles)
    return {b.name: module.pool(n) for b, n in zip(buffers, names, strict=True)}


def _check_place(
    module: IRModule,
    places: dict[BufferKey, Assignment],
    life: Lifetime,
    view: PoolView,
    pool: Pool,
) -> None:
    where = f"buffer {life.key} in pool `{pool.name}`"
    planned = places.get(life.key)
    if planned is None or (planned.pool, planned.offset) != (pool.name, view.offset):
        raise MisplacedError("lies elsewhere than the plan says", where=where)
    if view.offset % view.buffer.dtype.bytes:
        raise MisplacedError(
            f"offset {view.offset} breaks the alignment of {view.buffer.dtype.value}", where=where
        )
    if pool.size_limit is not None and view.offset + life.bytes > pool.size_limit:
        raise MisplacedError(
            f"ends at {view.offset + life.bytes}, beyond the limit of {pool.size_limit}",
            where=where,
        )
    function = module.function(life.key.function)
    assert isinstance(function, PrimFunc), "lifetimes belong to PrimFuncs"
    if pool.targets and function.target.name not in pool.targets:
        raise MisplacedError(f"the pool does not serve target {function.target.name}", where=where)


def _check_overlaps(pool: str, placed: list[tuple[int, int, Lifetime]]) -> None:
    """Sweeps over the points; whatever is live together must not share bytes."""
    active: list[tuple[int, int, int, Lifetime]] = []
    for first, last, life in sorted(placed, key=lambda p: (p[0], p[1], p[2].key)):
        view = life.declaration
        assert isinstance(view, PoolView), "only views are placed"
        start, end = view.offset, view.offset + life.bytes
        active = [a for a in active if a[0] >= first]
        for _, other_start, other_end, other in active:
            if other.key != life.key and start < other_end and other_start < end:
                raise OverlapError(
                    f"{life.key} [{start}, {end}) and {other.key} [{other_start}, {other_end}) "
                    f"live at point {first}",
                    where=f"pool `{pool}`",
                )
        active.append((last, start, end, life))
