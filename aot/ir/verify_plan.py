"""Rules of a memory plan: it keeps to the pools, and what refers to it agrees with it."""

from __future__ import annotations

from collections.abc import Mapping

from aot.ir.module import IRModule, PoolImage
from aot.ir.pools import Pool, PoolKind
from aot.ir.tir import ParamRole
from aot.ir.verify_errors import ConstantDataError, PlanError

_ROLES = {
    PoolKind.WORKSPACE: ParamRole.WORKSPACE_POOL,
    PoolKind.CONSTANT: ParamRole.CONSTANT_POOL,
}


def verify_plan(module: IRModule) -> None:
    """Raises PlanError where the plan of a PLANNED module is missing, exceeds its pools or is not
    what main and the images go by."""
    plan = module.plan
    if plan is None:
        raise PlanError("stage PLANNED has no plan", where=module.name)
    pools = {p.name: p for p in module.pools}
    used = {u.pool: u.bytes for u in plan.used}
    for name, size in used.items():
        limit = _pool(pools, name, module.name).size_limit
        if limit is not None and size > limit:
            raise PlanError(f"the plan takes {size} bytes of {limit}", where=f"pool {name}")
    for a in plan.assignments:
        _pool(pools, a.pool, f"buffer {a.key}")
        if not 0 <= a.offset <= used.get(a.pool, 0) - a.bytes:
            raise PlanError(
                f"{a.bytes} bytes at {a.offset} end beyond what pool `{a.pool}` uses",
                where=f"buffer {a.key}",
            )
    _verify_parameters(module, used)
    places = {a.key: (a.pool, a.offset, a.bytes) for a in plan.assignments}
    for image in module.images:
        where = f"image of {image.key}"
        if places.get(image.key) != (image.pool, image.offset, image.data.type.bytes):
            raise PlanError("lies elsewhere than the plan says", where=where)
        _verify_image(image, pools[image.pool], where)


def _pool(pools: Mapping[str, Pool], name: str, where: str) -> Pool:
    if name not in pools:
        raise PlanError(f"the plan uses pool `{name}`, which is unknown", where=where)
    return pools[name]


def _verify_parameters(module: IRModule, used: Mapping[str, int]) -> None:
    """Main takes every pool in use that can be written, in the module's order and whole."""
    params = [p for p in module.main.params if p.role in _ROLES.values()]
    given = [(p.role, p.buffer.type.bytes) for p in params]
    in_use = [p for p in module.pools if used.get(p.name) and not p.read_only]
    expected = [(_ROLES[p.kind], used[p.name]) for p in in_use]
    if given != expected:
        pools = ", ".join(f"{p.name} ({used[p.name]} bytes)" for p in in_use)
        raise PlanError(
            f"its pool parameters are not those in use: {pools or 'none'}", where=module.entry
        )


def _verify_image(image: PoolImage, pool: Pool, where: str) -> None:
    if pool.kind is not PoolKind.CONSTANT or pool.read_only:
        raise PlanError(f"pool `{pool.name}` is none to copy constants to", where=where)
    if len(image.data.raw) != image.data.type.bytes:
        raise ConstantDataError(
            f"has {len(image.data.raw)} bytes of {image.data.type.bytes}", where=where
        )
