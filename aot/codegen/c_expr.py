"""TIR expressions as C, with no more parentheses than precedence and warnings ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from aot.codegen.c_types import c_type, literal
from aot.codegen.errors import NotPrintableError
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
from aot.ir.types import DType

# C99 section 6.5: a higher number binds tighter.
_PRIMARY, _UNARY, _SHIFT, _RELATIONAL, _EQUALITY, _CONDITIONAL = 16, 14, 11, 10, 9, 2
_PRECEDENCE = {
    BinaryOp.MUL: 13,
    BinaryOp.DIV: 13,
    BinaryOp.MOD: 13,
    BinaryOp.ADD: 12,
    BinaryOp.SUB: 12,
    BinaryOp.SHL: _SHIFT,
    BinaryOp.SHR: _SHIFT,
    BinaryOp.AND: 7,
    BinaryOp.XOR: 6,
    BinaryOp.OR: 5,
}
_NARROW = (DType.INT8, DType.UINT8, DType.INT16, DType.UINT16)


@dataclass(frozen=True)
class ExprPrinter:
    """``prefix`` begins every function's name, ``symbol`` names a buffer.

    Raises NotPrintableError for arithmetic on float16, which C has no type for.
    """

    prefix: str
    symbol: Callable[[Buffer], str]

    def text(self, e: Expr) -> str:
        """``e`` where nothing binds tighter than a comma."""
        return self._print(e)[0]

    def stored(self, e: Expr) -> str:
        """``e`` as it is written to memory, where a bool is a byte."""
        if e.dtype is DType.BOOL and not isinstance(e, Imm | Load):
            return f"(uint8_t){self._nested(e, _UNARY)}"
        return self.text(e)

    def _nested(self, e: Expr, precedence: int) -> str:
        """``e`` as an operand of something that binds at ``precedence``."""
        text, own = self._print(e)
        return text if own >= precedence else f"({text})"

    def _print(self, e: Expr) -> tuple[str, int]:
        """Text and the precedence of its outermost operator."""
        if isinstance(e, Load):
            return f"{self.symbol(e.buffer)}[{self.text(e.index)}]", _PRIMARY
        if isinstance(e, Address):
            return f"&{self.symbol(e.buffer)}[{self.text(e.index)}]", _UNARY
        if isinstance(e, Var):
            return e.name, _PRIMARY
        if e.dtype is DType.FLOAT16:
            raise NotPrintableError(
                f"{type(e).__name__} of float16", remedy="convert to float32 in a pass"
            )
        if isinstance(e, Imm):
            text = literal(e.value, e.type)
            return text, _UNARY if text.startswith("-") else _PRIMARY
        if isinstance(e, Binary):
            return self._binary(e)
        if isinstance(e, Compare):
            own = _EQUALITY if e.op in (CompareOp.EQ, CompareOp.NE) else _RELATIONAL
            # A comparison inside a comparison draws a warning, so it gets parentheses.
            a, b = self._nested(e.a, _SHIFT), self._nested(e.b, _SHIFT)
            return f"{a} {e.op.value} {b}", own
        if isinstance(e, Select):
            condition = self._nested(e.condition, _CONDITIONAL + 1)
            a, b = self._nested(e.a, _CONDITIONAL + 1), self._nested(e.b, _CONDITIONAL)
            text = f"{condition} ? {a} : {b}"
            return _narrowed(text, e.dtype) if e.dtype in _NARROW else (text, _CONDITIONAL)
        if isinstance(e, Cast):
            return self._cast(e)
        assert isinstance(e, Intrinsic), "the verifier knows every expression"
        args = ", ".join(self.text(a) for a in e.args)
        return f"{self.prefix}_{e.name}({args})", _PRIMARY

    def _cast(self, e: Cast) -> tuple[str, int]:
        kind = e.value.dtype
        if kind is DType.FLOAT16:
            raise NotPrintableError("a cast of float16", remedy="fold it in a pass")
        if e.type is DType.BOOL:
            # C99 section 6.3.1.2: any other value than zero becomes 1.
            return f"{self._nested(e.value, _SHIFT)} != {literal(0, kind)}", _EQUALITY
        return f"({c_type(e.type)}){self._nested(e.value, _UNARY)}", _UNARY

    def _binary(self, e: Binary) -> tuple[str, int]:
        if e.op in (BinaryOp.MIN, BinaryOp.MAX):
            helper = f"{self.prefix}_{e.op.value}_{e.dtype.value}"
            return f"{helper}({self.text(e.a)}, {self.text(e.b)})", _PRIMARY
        op, right = _signed(e)
        own = _PRECEDENCE[op]
        # Compilers warn about arithmetic in shifts, and about any operator in & | and ^.
        operand = _UNARY if own <= _SHIFT else own
        a, b = self._nested(e.a, operand), self._nested(right, max(operand, own + 1))
        unsigned = _unsigned(e)
        if unsigned:
            a = f"({unsigned}){self._nested(e.a, _UNARY)}"
        text = f"{a} {op.value} {b}"
        if unsigned or e.dtype in _NARROW:
            return _narrowed(text, e.dtype)
        return text, own


def _narrowed(text: str, dtype: DType) -> tuple[str, int]:
    """``text``, computed in another type, as ``dtype``: what is narrower than int has been
    promoted to it (C99 section 6.3.1.1)."""
    return f"({c_type(dtype)})({text})", _UNARY


def _signed(e: Binary) -> tuple[BinaryOp, Expr]:
    """Operator and right operand: ``a + -5`` reads better as ``a - 5``."""
    opposite = {BinaryOp.ADD: BinaryOp.SUB, BinaryOp.SUB: BinaryOp.ADD}
    if e.op in opposite and isinstance(e.b, Imm) and e.b.value < 0:
        lowest = e.b.type.is_integer and e.b.value == e.b.type.bounds[0]
        if not lowest:
            return opposite[e.op], Imm(-e.b.value, e.b.type)
    return e.op, e.b


def _unsigned(e: Binary) -> str:
    """The type in which ``e`` is computed where its own could overflow into undefined behaviour.

    Shifting a negative value left is undefined (C99 section 6.5.7), and the product of two
    uint16_t does not fit the int that they are promoted to.
    """
    if e.op is BinaryOp.SHL and e.dtype is not DType.UINT32:
        return "uint64_t" if e.dtype.bytes == 8 else "uint32_t"
    return "uint32_t" if e.op is BinaryOp.MUL and e.dtype is DType.UINT16 else ""


def helper(prefix: str, op: BinaryOp, dtype: DType) -> str:
    """The definition of the minimum or maximum of two scalars; a NaN in ``a`` stays."""
    kind = c_type(dtype)
    chosen = "b < a ? b : a" if op is BinaryOp.MIN else "a < b ? b : a"
    return (
        f"static inline {kind} {prefix}_{op.value}_{dtype.value}({kind} a, {kind} b) {{\n"
        f"  return {chosen};\n"
        "}\n"
    )
