"""Checks that a module obeys the rules of its stage; the first broken rule is a named error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from aot.ir.graph import GraphFunction
from aot.ir.intrinsics import IntrinsicSignature
from aot.ir.module import IRModule, Stage
from aot.ir.tir import Allocate, AllocateConst, Invoke, PoolView, PrimFunc
from aot.ir.verify_errors import (
    DuplicateNameError,
    EntryError,
    RecursiveCallError,
    StageError,
    UndefinedError,
    VerificationError,
)
from aot.ir.verify_graph import verify_graph
from aot.ir.verify_plan import verify_plan
from aot.ir.verify_tir import verify_prim_func
from aot.ir.visitor import walk

__all__ = ["VerificationError", "verify"]


def verify(module: IRModule, intrinsics: Sequence[IntrinsicSignature]) -> None:
    """Raises a subclass of VerificationError where ``module`` breaks a rule of its stage.

    ``intrinsics`` are those of the module's target.
    """
    _verify_unique("function", (f.name for f in module.functions), module.name)
    _verify_unique("pool", (p.name for p in module.pools), module.name)
    _verify_entry(module)
    functions = {f.name: f for f in module.prim_funcs}
    signatures = {i.name: i for i in intrinsics}
    calls: dict[str, tuple[str, ...]] = {}
    for function in module.functions:
        if isinstance(function, GraphFunction):
            if module.stage is not Stage.GRAPH:
                raise StageError("a graph is left after stage GRAPH", where=function.name)
            verify_graph(function, functions)
        else:
            verify_prim_func(function, functions, signatures)
            calls[function.name] = _verify_stage(module, function)
    _verify_calls(calls)
    if module.stage is Stage.PLANNED:
        verify_plan(module)
    elif module.stage is Stage.GRAPH and module.plan is not None:
        raise StageError("a graph has no memory plan yet", where=module.name)


def _verify_unique(what: str, names: Iterable[str], where: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise DuplicateNameError(f"two {what}s are called `{name}`", where=where)
        seen.add(name)


def _verify_entry(module: IRModule) -> None:
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


def _verify_stage(module: IRModule, function: PrimFunc) -> tuple[str, ...]:
    """Allocations belong before planning, views after it; their pools exist. The callees."""
    pools = {p.name for p in module.pools}
    callees: dict[str, None] = {}
    for s in walk(function.body):
        if isinstance(s, Invoke):
            callees[s.function] = None
        elif isinstance(s, PoolView) and module.stage is not Stage.PLANNED:
            raise StageError(
                f"`{s.buffer.name}` is a view into a pool before stage PLANNED",
                where=function.name,
            )
        elif isinstance(s, Allocate) and module.stage is Stage.PLANNED:
            raise StageError(
                f"`{s.buffer.name}` is still an allocation at stage PLANNED", where=function.name
            )
        elif isinstance(s, Allocate | AllocateConst):
            unknown = next((c for c in s.candidates if c not in pools), None)
            if unknown is not None:
                raise UndefinedError(
                    f"there is no pool `{unknown}` for `{s.buffer.name}`", where=function.name
                )
    return tuple(callees)


def _verify_calls(calls: Mapping[str, tuple[str, ...]]) -> None:
    """No function reaches itself; ``calls`` are the callees of each, all of them keys."""
    done: set[str] = set()
    for start in calls:
        path: dict[str, None] = {}
        pending = [(start, False)]
        while pending:
            name, left = pending.pop()
            if left:
                del path[name]
                done.add(name)
            elif name in path:
                raise RecursiveCallError(
                    f"`{name}` calls itself: {' -> '.join((*path, name))}", where=start
                )
            elif name not in done:
                path[name] = None
                pending.append((name, True))
                pending += [(callee, False) for callee in calls[name]]
