"""PrimFuncs and their statements in the IR's text form."""

from __future__ import annotations

from collections.abc import Iterator

from aot.ir.print_expr import ExprPrinter
from aot.ir.print_types import TypePrinter, contents
from aot.ir.syntax import name, quote, suffix
from aot.ir.target import Target
from aot.ir.tir import (
    Allocate,
    AllocateConst,
    Assign,
    DeviceHook,
    Evaluate,
    For,
    ForKind,
    If,
    Invoke,
    Let,
    Local,
    Param,
    PoolView,
    PrimFunc,
    Seq,
    Stmt,
    Store,
)
from aot.ir.types import DType


def prim_func(f: PrimFunc, types: TypePrinter, target: Target) -> Iterator[str]:
    """The lines of ``f``; its target is left out where it is ``target``."""
    printer = _FunctionPrinter(types)
    params = [printer.param(p) for p in f.params]
    given = ("name", "params", "body", *(("target",) if f.target == target else ()))
    noted = suffix(f, given)
    tail = f" attributes{noted} {{" if noted else " {"
    if params:
        yield f"func {name(f.name)}("
        yield from (f"  {p}," for p in params)
        yield f"){tail}"
    else:
        yield f"func {name(f.name)}(){tail}"
    yield from printer.lines(f.body, "  ")
    yield "}"


class _FunctionPrinter:
    def __init__(self, types: TypePrinter) -> None:
        self._expr = ExprPrinter(types)

    def param(self, p: Param) -> str:
        bound = "" if p.buffer.name == p.name else f"{name(p.name)} = "
        tensor = f" as {quote(p.tensor)}" if p.tensor else ""
        return f"{p.role.value} {bound}{self._expr.declare(p.buffer)}{tensor}"

    def lines(self, seq: Seq, indent: str) -> Iterator[str]:
        for statement in seq.body:
            yield from self._statement(statement, indent)

    def _statement(self, s: Stmt, indent: str) -> Iterator[str]:
        if isinstance(s, For):
            yield from self._for(s, indent)
        elif isinstance(s, If):
            yield f"{indent}if {self._expr.text(s.condition)} {{"
            yield from self.lines(s.then, f"{indent}  ")
            if s.otherwise is not None:
                yield f"{indent}}} else {{"
                yield from self.lines(s.otherwise, f"{indent}  ")
            yield f"{indent}}}"
        elif isinstance(s, Seq):
            yield f"{indent}block {{"
            yield from self.lines(s, f"{indent}  ")
            yield f"{indent}}}"
        elif isinstance(s, AllocateConst):
            head = f"{indent}constant {self._expr.declare(s.buffer)}"
            head += suffix(s, ("buffer", "data"))
            first, *rest = contents(s.data, s.buffer.type, indent)
            yield f"{head} = {first}"
            yield from rest
        else:
            yield f"{indent}{self._line(s)}"

    def _for(self, s: For, indent: str) -> Iterator[str]:
        kind = "" if s.kind is ForKind.SERIAL else f"{s.kind.value} "
        turns = f"{self._expr.text(s.start)} .. {self._expr.text(s.stop)}"
        step = "" if s.step == 1 else f" step {s.step}"
        var = self._expr.declare(s.var)
        index = name(s.var.name) if s.var.type is DType.INT32 else var
        yield f"{indent}{kind}for {index} in {turns}{step} {{"
        yield from self.lines(s.body, f"{indent}  ")
        yield f"{indent}}}"

    def _line(self, s: Stmt) -> str:
        """A statement that fits on one line; what it uses is read before what it declares."""
        expr = self._expr
        if isinstance(s, Let | Local):
            value = expr.text(s.value)
            return f"{'let' if isinstance(s, Let) else 'var'} {expr.declare(s.var)} = {value}"
        if isinstance(s, Assign):
            return f"{expr.var(s.var)} = {expr.text(s.value)}"
        if isinstance(s, Store):
            return f"{expr.element(s.buffer, s.index)} = {expr.text(s.value)}"
        if isinstance(s, Evaluate):
            return expr.text(s.value)
        if isinstance(s, Allocate):
            return f"allocate {expr.declare(s.buffer)}{suffix(s, ('buffer',))}"
        if isinstance(s, PoolView):
            place = f"{expr.buffer(s.pool)} + {s.offset}"
            rest = suffix(s, ("buffer", "pool", "offset"))
            return f"view {expr.declare(s.buffer)} = {place}{rest}"
        if isinstance(s, Invoke):
            args = ", ".join(map(expr.buffer, s.args))
            return f"invoke {name(s.function)}({args}){suffix(s, ('function', 'args'))}"
        if isinstance(s, DeviceHook):
            return f"device {s.kind.value} {expr.buffer(s.device)}"
        raise TypeError(f"{type(s).__name__} has no text form")
