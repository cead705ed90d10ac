"""TIR expressions as C, with no more parentheses than precedence asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from aot.codegen.c_types import c_type, literal
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
from aot.ir.types import DType

# C99 section 6.5: a higher number binds tighter.
_PRIMARY, _UNARY, _CONDITIONAL = 16, 14, 2
_PRECEDENCE = {
    BinaryOp.MUL: 13,
    BinaryOp.DIV: 13,
    BinaryOp.MOD: 13,
    BinaryOp.ADD: 12,
    BinaryOp.SUB: 12,
    BinaryOp.SHR: 11,
    BinaryOp.AND: 7,
    BinaryOp.XOR: 6,
    BinaryOp.OR: 5,
}
_RELATIONAL, _EQUALITY = 10, 9
_NARROW = (DType.INT8, DType.UINT8, DType.INT16, DType.UINT16)


@dataclass(frozen=True)
class ExprPrinter:
    """``prefix`` begins every function's name, ``symbol`` names a buffer."""

    prefix: str
    symbol: Callable[[Buffer], str]

    def text(self, e: Expr) -> str:
        """``e`` where nothing binds tighter than a comma."""
        return self._print(e)[0]

    def _nested(self, e: Expr, precedence: int) -> str:
        """``e`` as an operand of something that binds at ``precedence``."""
        text, own = self._print(e)
        return text if own >= precedence else f"({text})"

    def _print(self, e: Expr) -> tuple[str, int]:
        """Text and the precedence of its outermost operator."""
        if isinstance(e, Imm):
            text = literal(e.value, e.type)
            return text, _UNARY if text.startswith("-") else _PRIMARY
        if isinstance(e, Var):
            return e.name, _PRIMARY
        if isinstance(e, Load):
            return f"{self.symbol(e.buffer)}[{self.text(e.index)}]", _PRIMARY
        if isinstance(e, Address):
            return f"&{self.symbol(e.buffer)}[{self.text(e.index)}]", _UNARY
        if isinstance(e, Binary):
            return self._binary(e)
        if isinstance(e, Compare):
            own = _EQUALITY if e.op.value in ("==", "!=") else _RELATIONAL
            a, b = self._nested(e.a, own + 1), self._nested(e.b, own + 1)
            return f"{a} {e.op.value} {b}", own
        if isinstance(e, Select):
            condition = self._nested(e.condition, _CONDITIONAL + 1)
            a, b = self._nested(e.a, _CONDITIONAL + 1), self._nested(e.b, _CONDITIONAL)
            return f"{condition} ? {a} : {b}", _CONDITIONAL
        if isinstance(e, Cast):
            return f"({c_type(e.type)}){self._nested(e.value, _UNARY)}", _UNARY
        assert isinstance(e, Intrinsic), "the verifier knows every expression"
        args = ", ".join(self.text(a) for a in e.args)
        return f"{self.prefix}_{e.name}({args})", _PRIMARY

    def _binary(self, e: Binary) -> tuple[str, int]:
        if e.op in (BinaryOp.MIN, BinaryOp.MAX):
            helper = f"{self.prefix}_{e.op.value}_{e.dtype.value}"
            return f"{helper}({self.text(e.a)}, {self.text(e.b)})", _PRIMARY
        if e.op is BinaryOp.SHL:
            # Shifting a negative value left is undefined (C99 section 6.5.7).
            unsigned = "uint64_t" if e.dtype.bytes == 8 else "uint32_t"
            shifted = f"({unsigned}){self._nested(e.a, _UNARY)} << {self._nested(e.b, 12)}"
            return f"({c_type(e.dtype)})({shifted})", _UNARY
        own = _PRECEDENCE[e.op]
        bitwise = own <= _PRECEDENCE[BinaryOp.AND]
        # Compilers warn about arithmetic in shifts and comparisons in & without parentheses.
        operand = _UNARY if bitwise or e.op is BinaryOp.SHR else own
        a, b = self._nested(e.a, operand), self._nested(e.b, max(operand, own + 1))
        text = f"{a} {e.op.value} {b}"
        if e.dtype in _NARROW:
            # Both operands were promoted to int (C99 section 6.3.1.1).
            return f"({c_type(e.dtype)})({text})", _UNARY
        return text, own


def helper(prefix: str, op: BinaryOp, dtype: DType) -> str:
    """The definition of the minimum or maximum of two scalars; a NaN in ``a`` stays."""
    kind = c_type(dtype)
    chosen = "b < a ? b : a" if op is BinaryOp.MIN else "a < b ? b : a"
    return (
        f"static inline {kind} {prefix}_{op.value}_{dtype.value}({kind} a, {kind} b) {{\n"
        f"  return {chosen};\n"
        "}\n"
    )
