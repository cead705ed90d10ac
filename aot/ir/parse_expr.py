"""Reads TIR expressions from the IR's text form."""

from __future__ import annotations

from dataclasses import dataclass, field

from aot.ir.cursor import Cursor
from aot.ir.expr import (
    Address,
    Binary,
    BinaryOp,
    Buffer,
    Cast,
    Compare,
    CompareOp,
    Expr,
    Imm,
    Intrinsic,
    Load,
    Select,
    Var,
)
from aot.ir.lexer import TokenKind
from aot.ir.syntax import DTYPES, PRECEDENCE
from aot.ir.types import DType

_COMPARE = {op.value: op for op in CompareOp}
_BINARY = {op.value: op for op in BinaryOp}
_LIMITS = {op.value: op for op in (BinaryOp.MIN, BinaryOp.MAX)}


@dataclass
class ExprParser:
    """Reads the expressions of one function; a name means what was last declared under it."""

    cursor: Cursor
    _variables: dict[str, Var] = field(default_factory=dict)
    _buffers: dict[str, Buffer] = field(default_factory=dict)

    def declare_var(self, var: Var) -> Var:
        self._variables[var.name] = var
        return var

    def declare_buffer(self, buffer: Buffer) -> Buffer:
        self._buffers[buffer.name] = buffer
        return buffer

    def buffer(self) -> Buffer:
        """A declared buffer by its name, or any as ``(name: type)``."""
        token = self.cursor.token
        if self.cursor.accept("("):
            name = self.cursor.name("a buffer")
            self.cursor.expect(":")
            buffer = Buffer(name, self.cursor.type())
            self.cursor.expect(")")
            return buffer
        name = self.cursor.name("a buffer")
        if name not in self._buffers:
            raise self.cursor.error(f"buffer `{name}` is not declared", at=token)
        return self._buffers[name]

    def var(self) -> Var:
        """A declared variable by its name, or any as ``(name: dtype)``."""
        token = self.cursor.token
        if self.cursor.accept("("):
            name = self.cursor.name("a variable")
            self.cursor.expect(":")
            var = Var(name, self.cursor.dtype())
            self.cursor.expect(")")
            return var
        name = self.cursor.name("a variable")
        if name not in self._variables:
            raise self.cursor.error(f"variable `{name}` is not declared", at=token)
        return self._variables[name]

    def element(self) -> tuple[Buffer, Expr]:
        """``buffer[index]``."""
        buffer = self.buffer()
        self.cursor.expect("[")
        index = self.expr()
        self.cursor.expect("]")
        return buffer, index

    def at_element(self) -> bool:
        """Whether a buffer with its index comes next; not so a variable."""
        if self.at_annotated():
            return self.cursor.ahead(4).text == "["
        return self.cursor.at_name() and self.cursor.ahead().text == "["

    def at_annotated(self) -> bool:
        """Whether ``(name: type)`` comes next."""
        return self.cursor.at("(") and self.cursor.ahead(2).text == ":"

    def at_intrinsic(self) -> bool:
        """Whether ``name<dtype>(...)`` comes next."""
        ahead = self.cursor.ahead
        named = self.cursor.at_name() and ahead().text == "<"
        return named and ahead(2).text in DTYPES and ahead(3).text == ">"

    def expr(self, least: int = 0) -> Expr:
        """Operands joined by operators that bind at least as tightly as ``least``."""
        left = self._operand()
        while self.cursor.token.kind is TokenKind.MARK:
            op = self.cursor.token.text
            precedence = PRECEDENCE.get(op, -1)
            if precedence < least:
                break
            self.cursor.take()
            right = self.expr(precedence + 1)
            if op in _COMPARE:
                left = Compare(_COMPARE[op], left, right)
            else:
                left = Binary(_BINARY[op], left, right)
        return left

    def intrinsic(self) -> Intrinsic:
        """``name<dtype>(...)``."""
        name = self.cursor.name("an intrinsic")
        dtype = self._dtype()
        self.cursor.expect("(")
        return Intrinsic(name, tuple(self.cursor.listed(")", self.expr)), dtype)

    def _operand(self) -> Expr:
        cursor = self.cursor
        if cursor.at_number():
            value = cursor.number()
            return Imm(value, DType.FLOAT32 if isinstance(value, float) else DType.INT32)
        if cursor.at("true", "false"):
            return Imm(int(cursor.take().text == "true"), DType.BOOL)
        if cursor.at(*DTYPES):
            dtype = cursor.dtype()
            cursor.expect("(")
            value = cursor.number()
            cursor.expect(")")
            return Imm(value, dtype)
        if cursor.at(*_LIMITS):
            op = cursor.word(_LIMITS, "an operator")
            a, b = self._arguments(2)
            return Binary(op, a, b)
        if cursor.accept("select"):
            condition, a, b = self._arguments(3)
            return Select(condition, a, b)
        if cursor.accept("cast"):
            dtype = self._dtype()
            (operand,) = self._arguments(1)
            return Cast(operand, dtype)
        if cursor.accept("&"):
            return Address(*self.element())
        return self._named()

    def _named(self) -> Expr:
        if self.at_element():
            return Load(*self.element())
        if self.at_intrinsic():
            return self.intrinsic()
        if self.at_annotated() or self.cursor.at_name():
            return self.var()
        if not self.cursor.accept("("):
            raise self.cursor.expected("an expression")
        inner = self.expr()
        self.cursor.expect(")")
        return inner

    def _dtype(self) -> DType:
        self.cursor.expect("<")
        dtype = self.cursor.dtype()
        self.cursor.expect(">")
        return dtype

    def _arguments(self, count: int) -> tuple[Expr, ...]:
        token = self.cursor.expect("(")
        found = tuple(self.cursor.listed(")", self.expr))
        if len(found) != count:
            raise self.cursor.error(f"expected {count} operands, found {len(found)}", at=token)
        return found
