"""Checks that a module obeys the rules of its stage; the first broken rule is a named error."""

from __future__ import annotations

from collections.abc import Sequence

from aot.ir.graph import GraphFunction
from aot.ir.intrinsics import IntrinsicSignature
from aot.ir.module import IRModule, Stage
from aot.ir.tir import Allocate, ParamRole, PoolView, PrimFunc
from aot.ir.verify_errors import (
    DuplicateNameError,
    EntryError,
    PlanError,
    StageError,
    VerificationError,
)
from aot.ir.verify_graph import verify_graph
from aot.ir.verify_tir import verify_prim_func
from aot.ir.visitor import walk

__all__ = ["VerificationError", "verify"]


def verify(module: IRModule, intrinsics: Sequence[IntrinsicSignature]) -> None:
    """Raises a subclass of VerificationError where ``module`` breaks a rule of its stage."""
    names = [f.name for f in module.functions]
    if len(set(names)) != len(names):
        twice = next(n for n in names if names.count(n) > 1)
        raise DuplicateNameError(f"two functions are called `{twice}`", where=module.name)
    entry = next((f for f in module.functions if f.name == module.entry), None)
    if entry is None:
        raise EntryError(f"there is no function `{module.entry}`", where=module.name)
    wanted = GraphFunction if module.stage is Stage.GRAPH else PrimFunc
    if not isinstance(entry, wanted):
        raise EntryError(
            f"at stage {module.stage.value} the entry is a {wanted.__name__}, "
            f"not a {type(entry).__name__}",
            where=module.name,
        )
    functions = {f.name: f for f in module.prim_funcs}
    signatures = {i.name: i for i in intrinsics}
    for function in module.functions:
        if isinstance(function, GraphFunction):
            if module.stage is not Stage.GRAPH:
                raise StageError("a graph is left after stage GRAPH", where=function.name)
            verify_graph(function, functions)
        else:
            verify_prim_func(function, functions, signatures)
            _verify_allocations(module, function)
    if module.stage is Stage.PLANNED:
        _verify_plan(module)
    elif module.stage is Stage.GRAPH and module.plan is not None:
        raise StageError("a graph has no memory plan yet", where=module.name)


def _verify_allocations(module: IRModule, function: PrimFunc) -> None:
    """Allocations belong before planning, views after it."""
    for s in walk(function.body):
        if isinstance(s, PoolView) and module.stage is not Stage.PLANNED:
            raise StageError(
                f"`{s.buffer.name}` is a view into a pool before stage PLANNED",
                where=function.name,
            )
        if isinstance(s, Allocate) and module.stage is Stage.PLANNED:
            raise StageError(
                f"`{s.buffer.name}` is still an allocation at stage PLANNED", where=function.name
            )


def _verify_plan(module: IRModule) -> None:
    """The plan exists, keeps to the pools and their limits, and fills main's pool parameters."""
    plan = module.plan
    if plan is None:
        raise PlanError("stage PLANNED has no plan", where=module.name)
    pools = {p.name: p for p in module.pools}
    for use in plan.used:
        pool = pools.get(use.pool)
        if pool is None:
            raise PlanError(f"the plan uses pool `{use.pool}`, which is unknown", where=module.name)
        if pool.size_limit is not None and use.bytes > pool.size_limit:
            raise PlanError(
                f"the plan takes {use.bytes} bytes of {pool.size_limit}", where=f"pool {pool.name}"
            )
    roles = (ParamRole.WORKSPACE_POOL, ParamRole.CONSTANT_POOL)
    parameters = len(module.main.buffers(*roles))
    expected = sum(1 for u in plan.used if u.bytes and not pools[u.pool].read_only)
    if parameters != expected:
        raise PlanError(
            f"{parameters} pool parameters for {expected} pools in use", where=module.entry
        )
