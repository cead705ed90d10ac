"""TIR expressions in the IR's text form."""

from __future__ import annotations

from dataclasses import dataclass, field

from aot.ir.expr import (
    Address,
    Binary,
    BinaryOp,
    Buffer,
    Cast,
    Compare,
    Expr,
    Imm,
    Intrinsic,
    Load,
    Select,
    Var,
)
from aot.ir.print_types import TypePrinter
from aot.ir.syntax import PRECEDENCE, name, number
from aot.ir.types import DType


@dataclass
class ExprPrinter:
    """Prints the expressions of one function.

    A variable or buffer goes by its name alone where that was last declared as the same thing;
    else its type is printed with it, so that a module that breaks the rules can be read too.
    """

    types: TypePrinter
    _variables: dict[str, Var] = field(default_factory=dict)
    _buffers: dict[str, Buffer] = field(default_factory=dict)

    def declare(self, declared: Var | Buffer) -> str:
        """``name: type``; from here on the name means ``declared``."""
        if isinstance(declared, Buffer):
            self._buffers[declared.name] = declared
            return self.types.typed(declared.name, declared.type)
        self._variables[declared.name] = declared
        return f"{name(declared.name)}: {declared.type.value}"

    def var(self, v: Var) -> str:
        if self._variables.get(v.name) == v:
            return name(v.name)
        return f"({name(v.name)}: {v.type.value})"

    def buffer(self, b: Buffer) -> str:
        known = self._buffers.get(b.name)
        if known is not None and self.types.same(known.type, b.type):
            return name(b.name)
        return f"({self.types.typed(b.name, b.type)})"

    def element(self, b: Buffer, index: Expr) -> str:
        return f"{self.buffer(b)}[{self.text(index)}]"

    def text(self, e: Expr, least: int = 0) -> str:
        """``e``, in parentheses where it binds less tightly than ``least``."""
        if isinstance(e, Imm):
            return _immediate(e)
        if isinstance(e, Var):
            return self.var(e)
        if isinstance(e, Load):
            return self.element(e.buffer, e.index)
        if isinstance(e, Address):
            return f"&{self.element(e.buffer, e.index)}"
        if isinstance(e, Binary | Compare):
            return self._operation(e, least)
        if isinstance(e, Select):
            return f"select({self._list(e.condition, e.a, e.b)})"
        if isinstance(e, Cast):
            return f"cast<{e.type.value}>({self.text(e.value)})"
        if isinstance(e, Intrinsic):
            return f"{name(e.name)}<{e.type.value}>({self._list(*e.args)})"
        raise TypeError(f"{type(e).__name__} has no text form")

    def _list(self, *parts: Expr) -> str:
        return ", ".join(map(self.text, parts))

    def _operation(self, e: Binary | Compare, least: int) -> str:
        if e.op in (BinaryOp.MIN, BinaryOp.MAX):
            return f"{e.op.value}({self._list(e.a, e.b)})"
        own = PRECEDENCE[e.op.value]
        left = self.text(e.a, own + isinstance(e, Compare))
        text = f"{left} {e.op.value} {self.text(e.b, own + 1)}"
        return f"({text})" if own < least else text


def _immediate(e: Imm) -> str:
    """Plain where the text says the type: an int is int32, a float float32, a word bool."""
    if e.type is DType.BOOL and e.value in (0, 1) and not isinstance(e.value, float):
        return "true" if e.value else "false"
    plain = DType.FLOAT32 if isinstance(e.value, float) else DType.INT32
    return number(e.value) if e.type is plain else f"{e.type.value}({number(e.value)})"
