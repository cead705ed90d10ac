"""Walks statements and expressions, and rewrites statements from the leaves up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from aot.ir.expr import (
    Address,
    Binary,
    Buffer,
    Cast,
    Compare,
    Expr,
    Intrinsic,
    Load,
    Select,
)
from aot.ir.tir import Assign, Evaluate, For, If, Invoke, Let, Local, Seq, Stmt, Store


def children(e: Expr) -> tuple[Expr, ...]:
    """The expressions that ``e`` is made of."""
    if isinstance(e, Load | Address):
        return (e.index,)
    if isinstance(e, Binary | Compare):
        return (e.a, e.b)
    if isinstance(e, Select):
        return (e.condition, e.a, e.b)
    if isinstance(e, Cast):
        return (e.value,)
    return e.args if isinstance(e, Intrinsic) else ()


def walk_expr(e: Expr) -> Iterator[Expr]:
    """``e`` and everything in it, outermost first."""
    yield e
    for child in children(e):
        yield from walk_expr(child)


def expressions(s: Stmt) -> tuple[Expr, ...]:
    """The expressions of one statement, nested statements left out."""
    if isinstance(s, For):
        return (s.start, s.stop)
    if isinstance(s, If):
        return (s.condition,)
    if isinstance(s, Let | Local | Assign | Evaluate):
        return (s.value,)
    return (s.index, s.value) if isinstance(s, Store) else ()


def bodies(s: Stmt) -> tuple[Seq, ...]:
    """The sequences nested in one statement."""
    if isinstance(s, Seq):
        return (s,)
    if isinstance(s, For):
        return (s.body,)
    if isinstance(s, If):
        return (s.then,) if s.otherwise is None else (s.then, s.otherwise)
    return ()


def walk(s: Stmt) -> Iterator[Stmt]:
    """``s`` and every statement in it, in the order of the text; Seqs are passed through."""
    if isinstance(s, Seq):
        for inner in s.body:
            yield from walk(inner)
        return
    yield s
    for body in bodies(s):
        yield from walk(body)


def rewrite(seq: Seq, change: Callable[[Stmt], Stmt | None]) -> Seq:
    """``seq`` with every statement replaced by ``change`` of it, innermost first; None drops a
    statement, and what does not change is shared."""
    out: list[Stmt] = []
    for statement in seq.body:
        inner = statement
        if isinstance(statement, For):
            body = rewrite(statement.body, change)
            inner = statement if body is statement.body else replace(statement, body=body)
        elif isinstance(statement, If):
            then = rewrite(statement.then, change)
            other = statement.otherwise
            otherwise = None if other is None else rewrite(other, change)
            if then is not statement.then or otherwise is not other:
                inner = replace(statement, then=then, otherwise=otherwise)
        elif isinstance(statement, Seq):
            inner = rewrite(statement, change)
        changed = change(inner)
        if changed is not None:
            out.append(changed)
    same = len(out) == len(seq.body) and all(a is b for a, b in zip(out, seq.body, strict=True))
    return seq if same else Seq(tuple(out))


def accessed(s: Stmt) -> Iterator[Buffer]:
    """Every buffer that one statement reads, writes or passes on, nested statements left out."""
    if isinstance(s, Store):
        yield s.buffer
    if isinstance(s, Invoke):
        yield from s.args
    for e in expressions(s):
        for inner in walk_expr(e):
            if isinstance(inner, Load | Address):
                yield inner.buffer
