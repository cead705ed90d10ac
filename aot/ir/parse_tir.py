"""Reads PrimFuncs and their statements from the IR's text form."""

from __future__ import annotations

from aot.ir.cursor import Cursor
from aot.ir.expr import Buffer, Var
from aot.ir.parse_expr import ExprParser
from aot.ir.syntax import HOOKS, LOOPS, ROLES
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


def parse_prim_func(cursor: Cursor, target: Target) -> PrimFunc:
    """A function from ``func`` on; ``target`` is its target where it names none."""
    cursor.expect("func")
    name = cursor.name("a function")
    cursor.expect("(")
    parser = _FunctionParser(cursor)
    params = tuple(cursor.listed(")", parser.param))
    noted = {}
    if cursor.accept("attributes"):
        noted = cursor.attributes(PrimFunc, ("name", "params", "body"), optional=("target",))
    body = parser.seq()
    return PrimFunc(name, params, body, **{"target": target, **noted})


class _FunctionParser:
    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._expr = ExprParser(cursor)

    def param(self) -> Param:
        role = self._cursor.word(ROLES, "a role")
        name = buffer = self._cursor.name("a parameter")
        if self._cursor.accept("="):
            buffer = self._cursor.name("a buffer")
        self._cursor.expect(":")
        bound = self._expr.declare_buffer(Buffer(buffer, self._cursor.type()))
        tensor = self._cursor.string() if self._cursor.accept("as") else ""
        return Param(name, role, bound, tensor)

    def seq(self) -> Seq:
        """Statements in braces."""
        self._cursor.expect("{")
        body: list[Stmt] = []
        while not self._cursor.accept("}"):
            body.append(self._statement())
        return Seq(tuple(body))

    def _statement(self) -> Stmt:
        cursor = self._cursor
        if cursor.at("for", *LOOPS):
            return self._for()
        if cursor.accept("if"):
            condition = self._expr.expr()
            then = self.seq()
            return If(condition, then, self.seq() if cursor.accept("else") else None)
        if cursor.accept("block"):
            return self.seq()
        if cursor.at("let", "var"):
            return self._declaration()
        if cursor.accept("allocate"):
            return Allocate(self._new_buffer(), **cursor.attributes(Allocate, ("buffer",)))
        if cursor.accept("constant"):
            return self._constant()
        if cursor.accept("view"):
            return self._view()
        if cursor.accept("invoke"):
            return self._invoke()
        if cursor.accept("device"):
            kind = cursor.word(HOOKS, "a hook")
            return DeviceHook(self._expr.buffer(), kind)
        return self._change()

    def _for(self) -> For:
        cursor = self._cursor
        kind = cursor.word(LOOPS, "a loop") if cursor.at(*LOOPS) else ForKind.SERIAL
        cursor.expect("for")
        name = cursor.name("a variable")
        dtype = cursor.dtype() if cursor.accept(":") else DType.INT32
        cursor.expect("in")
        start = self._expr.expr()
        cursor.expect("..")
        stop = self._expr.expr()
        step = cursor.integer() if cursor.accept("step") else 1
        var = self._expr.declare_var(Var(name, dtype))
        return For(var, start, stop, self.seq(), kind, step)

    def _declaration(self) -> Let | Local:
        """The value is read before the name means the new variable."""
        kind = Let if self._cursor.take().text == "let" else Local
        name = self._cursor.name("a variable")
        self._cursor.expect(":")
        var = Var(name, self._cursor.dtype())
        self._cursor.expect("=")
        value = self._expr.expr()
        return kind(self._expr.declare_var(var), value)

    def _new_buffer(self) -> Buffer:
        name = self._cursor.name("a buffer")
        self._cursor.expect(":")
        return self._expr.declare_buffer(Buffer(name, self._cursor.type()))

    def _constant(self) -> AllocateConst:
        buffer = self._new_buffer()
        noted = self._cursor.attributes(AllocateConst, ("buffer", "data"))
        self._cursor.expect("=")
        return AllocateConst(buffer, self._cursor.data(buffer.type), **noted)

    def _view(self) -> PoolView:
        cursor = self._cursor
        name = cursor.name("a buffer")
        cursor.expect(":")
        buffer = Buffer(name, cursor.type())
        cursor.expect("=")
        pool = self._expr.buffer()
        cursor.expect("+")
        offset = cursor.integer()
        noted = cursor.attributes(PoolView, ("buffer", "pool", "offset"))
        return PoolView(self._expr.declare_buffer(buffer), pool, offset, **noted)

    def _invoke(self) -> Invoke:
        function = self._cursor.name("a function")
        self._cursor.expect("(")
        args = tuple(self._cursor.listed(")", self._expr.buffer))
        return Invoke(function, args, **self._cursor.attributes(Invoke, ("function", "args")))

    def _change(self) -> Stmt:
        """A Store, Evaluate or Assign: they start with what they change or call."""
        if self._expr.at_intrinsic():
            return Evaluate(self._expr.intrinsic())
        if self._expr.at_element():
            buffer, index = self._expr.element()
            self._cursor.expect("=")
            return Store(buffer, index, self._expr.expr())
        if not (self._expr.at_annotated() or self._cursor.at_name()):
            raise self._cursor.expected("a statement or `}`")
        var = self._expr.var()
        self._cursor.expect("=")
        return Assign(var, self._expr.expr())
