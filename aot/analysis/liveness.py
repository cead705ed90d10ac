"""Liveness: at which program points the contents of each allocation matter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aot.ir.expr import Imm
from aot.ir.module import IRModule
from aot.ir.pools import BufferKey
from aot.ir.tir import (
    Allocate,
    AllocateConst,
    For,
    ForKind,
    Invoke,
    ParamRole,
    PoolView,
    PrimFunc,
    Seq,
    Stmt,
)
from aot.ir.visitor import accessed, bodies

Declaration = Allocate | AllocateConst | PoolView


@dataclass(frozen=True)
class Lifetime:
    """One allocation: its declaration, bytes (times the turns of parallel loops around it) and
    the closed intervals of points during which it is live, ascending and disjoint."""

    key: BufferKey
    declaration: Declaration
    bytes: int
    intervals: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Liveness:
    """Lifetimes in the order of their declarations, and the point of each call.

    ``calls`` pairs every Invoke of main with its point, in order; ``end`` is the last point.
    """

    lifetimes: tuple[Lifetime, ...]
    calls: tuple[tuple[Invoke, int], ...]
    end: int


def liveness(module: IRModule) -> Liveness:
    """Points are numbered in execution order: one per statement of main that touches buffers.

    A buffer that a loop touches and that is declared outside it is live for the whole loop. What
    a kernel allocates is live at each point that calls it. An input that lives in a pool is live
    from the start, an output to the end; constants are live throughout.
    """
    return _Walk(module).result()


class _Walk:
    def __init__(self, module: IRModule) -> None:
        self._functions = {f.name: f for f in module.prim_funcs}
        self._main = module.main
        self._point = 0
        self._declared: dict[str, tuple[Declaration, int, int]] = {}
        self._touched: dict[str, tuple[int, int]] = {}
        self._called: dict[str, list[int]] = {}
        self._calls: list[tuple[Invoke, int]] = []

    def result(self) -> Liveness:
        self._seq(self._main.body, 1, 0)
        end = max(self._point - 1, 0)
        lifetimes = [self._main_lifetime(name, end) for name in self._declared]
        for name, points in self._called.items():
            lifetimes += _inner(self._functions[name], points, end)
        return Liveness(tuple(lifetimes), tuple(self._calls), end)

    def _main_lifetime(self, name: str, end: int) -> Lifetime:
        declaration, copies, _ = self._declared[name]
        first, last = self._touched.get(name, (0, 0))
        io = None if isinstance(declaration, AllocateConst) else declaration.io
        if isinstance(declaration, AllocateConst):
            first, last = 0, end
        elif io is not None and io.role is ParamRole.INPUT:
            first = 0
        elif io is not None:
            last = end
        key = BufferKey(self._main.name, name)
        return Lifetime(key, declaration, declaration.buffer.type.bytes * copies, ((first, last),))

    def _seq(self, seq: Seq, copies: int, depth: int) -> None:
        for statement in seq.body:
            self._statement(statement, copies, depth)

    def _statement(self, s: Stmt, copies: int, depth: int) -> None:
        if isinstance(s, Allocate | AllocateConst | PoolView):
            self._declared[s.buffer.name] = (s, copies, depth)
            return
        start = self._point
        for buffer in accessed(s):
            self._touch(buffer.name, start, start)
        if isinstance(s, Invoke):
            self._calls.append((s, start))
            for name in _callees(s.function, self._functions):
                self._called.setdefault(name, []).append(start)
        self._point += 1
        for body in bodies(s):
            self._seq(body, copies * _copies(s), depth + 1)
        if isinstance(s, For):
            # A later turn may read what an earlier one wrote.
            for name, (_, last) in list(self._touched.items()):
                outer = name in self._declared and self._declared[name][2] <= depth
                if outer and last >= start:
                    self._touch(name, start, self._point - 1)

    def _touch(self, name: str, first: int, last: int) -> None:
        known = self._touched.get(name, (first, last))
        self._touched[name] = (min(known[0], first), max(known[1], last))


def _copies(s: Stmt) -> int:
    """How many instances of an inner buffer live at once: the turns of a parallel loop."""
    if not isinstance(s, For) or s.kind is not ForKind.PARALLEL:
        return 1
    assert isinstance(s.start, Imm) and isinstance(s.stop, Imm), "parallel loops have known bounds"
    return max(1, -(-(int(s.stop.value) - int(s.start.value)) // s.step))


def _callees(name: str, functions: dict[str, PrimFunc]) -> Iterator[str]:
    """``name`` and every function that it calls."""
    yield name
    for statement, _ in _statements(functions[name].body, 1):
        if isinstance(statement, Invoke):
            yield from _callees(statement.function, functions)


def _statements(seq: Seq, copies: int) -> Iterator[tuple[Stmt, int]]:
    for s in seq.body:
        yield s, copies
        for body in bodies(s):
            yield from _statements(body, copies * _copies(s))


def _inner(function: PrimFunc, points: list[int], end: int) -> Iterator[Lifetime]:
    """What a kernel allocates of its own."""
    merged = tuple((p, p) for p in sorted(set(points)))
    for s, copies in _statements(function.body, 1):
        if isinstance(s, Allocate | AllocateConst | PoolView):
            intervals = ((0, end),) if isinstance(s, AllocateConst) else merged
            key = BufferKey(function.name, s.buffer.name)
            yield Lifetime(key, s, s.buffer.type.bytes * copies, intervals)
