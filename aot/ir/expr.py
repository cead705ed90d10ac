"""TIR expressions: typed scalars computed from buffers, variables and intrinsics.

Arithmetic never converts: both operands of a binary expression have the same dtype, and a Cast
says where a value changes type. Integer division and remainder truncate towards zero, as in C99
section 6.5.5; shifts right are arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Union

from aot.ir.types import DType, TensorType


class BinaryOp(Enum):
    ADD = "+"
    SUB = "-"
    MUL = "*"
    DIV = "/"
    MOD = "%"
    SHL = "<<"
    SHR = ">>"
    AND = "&"
    OR = "|"
    XOR = "^"
    MIN = "min"
    MAX = "max"


class CompareOp(Enum):
    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="


Scalar = Union["Expr", int, float]


class Expr:
    """Any scalar expression; Python operators build trees and fold integer immediates."""

    @property
    def dtype(self) -> DType:
        raise NotImplementedError

    def __add__(self, other: Scalar) -> Expr:
        return binary(BinaryOp.ADD, self, other)

    def __radd__(self, other: Scalar) -> Expr:
        return binary(BinaryOp.ADD, other, self)

    def __sub__(self, other: Scalar) -> Expr:
        return binary(BinaryOp.SUB, self, other)

    def __rsub__(self, other: Scalar) -> Expr:
        return binary(BinaryOp.SUB, other, self)

    def __mul__(self, other: Scalar) -> Expr:
        return binary(BinaryOp.MUL, self, other)

    def __rmul__(self, other: Scalar) -> Expr:
        return binary(BinaryOp.MUL, other, self)

    def __floordiv__(self, other: Scalar) -> Expr:
        return binary(BinaryOp.DIV, self, other)

    def __truediv__(self, other: Scalar) -> Expr:
        return binary(BinaryOp.DIV, self, other)

    def __rtruediv__(self, other: Scalar) -> Expr:
        return binary(BinaryOp.DIV, other, self)

    def __mod__(self, other: Scalar) -> Expr:
        return binary(BinaryOp.MOD, self, other)

    def __lshift__(self, other: Scalar) -> Expr:
        return binary(BinaryOp.SHL, self, other)

    def __rshift__(self, other: Scalar) -> Expr:
        return binary(BinaryOp.SHR, self, other)

    def __and__(self, other: Scalar) -> Expr:
        return binary(BinaryOp.AND, self, other)

    def __or__(self, other: Scalar) -> Expr:
        return binary(BinaryOp.OR, self, other)

    def __lt__(self, other: Scalar) -> Expr:
        return compare(CompareOp.LT, self, other)

    def __le__(self, other: Scalar) -> Expr:
        return compare(CompareOp.LE, self, other)

    def __gt__(self, other: Scalar) -> Expr:
        return compare(CompareOp.GT, self, other)

    def __ge__(self, other: Scalar) -> Expr:
        return compare(CompareOp.GE, self, other)

    def cast(self, dtype: DType) -> Expr:
        """This value as ``dtype`` (itself where it already is)."""
        return self if self.dtype is dtype else Cast(self, dtype)


@dataclass(frozen=True)
class Imm(Expr):
    """An immediate: an int for integer and bool dtypes, a float for floating ones."""

    value: int | float
    type: DType

    @property
    def dtype(self) -> DType:
        return self.type


@dataclass(frozen=True)
class Var(Expr):
    """A scalar variable: a loop index, a Let or a Local; unique by name in its function."""

    name: str
    type: DType

    @property
    def dtype(self) -> DType:
        return self.type


@dataclass(frozen=True)
class Buffer:
    """Memory for one tensor, unique by name in its function; indexed by flat element number."""

    name: str
    type: TensorType

    @property
    def dtype(self) -> DType:
        return self.type.dtype


@dataclass(frozen=True)
class Load(Expr):
    """The element of ``buffer`` at a flat int32 index."""

    buffer: Buffer
    index: Expr

    @property
    def dtype(self) -> DType:
        return self.buffer.dtype


@dataclass(frozen=True)
class Address(Expr):
    """Where an element of ``buffer`` lives; only an operand of an Intrinsic."""

    buffer: Buffer
    index: Expr

    @property
    def dtype(self) -> DType:
        return self.buffer.dtype


@dataclass(frozen=True)
class Binary(Expr):
    op: BinaryOp
    a: Expr
    b: Expr

    @property
    def dtype(self) -> DType:
        return self.a.dtype


@dataclass(frozen=True)
class Compare(Expr):
    op: CompareOp
    a: Expr
    b: Expr

    @property
    def dtype(self) -> DType:
        return DType.BOOL


@dataclass(frozen=True)
class Select(Expr):
    """``a`` where ``condition`` holds, else ``b``; only the chosen one is evaluated."""

    condition: Expr
    a: Expr
    b: Expr

    @property
    def dtype(self) -> DType:
        return self.a.dtype


@dataclass(frozen=True)
class Cast(Expr):
    """``value`` converted as C converts it; float to integer truncates and must be in range."""

    value: Expr
    type: DType

    @property
    def dtype(self) -> DType:
        return self.type


@dataclass(frozen=True)
class Intrinsic(Expr):
    """A function that the target provides, by name (see ``aot.targets``)."""

    name: str
    args: tuple[Expr, ...]
    type: DType

    @property
    def dtype(self) -> DType:
        return self.type


def imm(value: int | float, dtype: DType = DType.INT32) -> Imm:
    """An immediate of ``dtype``."""
    return Imm(float(value) if dtype.is_float else int(value), dtype)


def _operands(a: Scalar, b: Scalar) -> tuple[Expr, Expr]:
    """Both as expressions; a Python number takes the other side's dtype."""
    if isinstance(a, Expr):
        return a, b if isinstance(b, Expr) else imm(b, a.dtype)
    assert isinstance(b, Expr), "one side of an expression is an Expr"
    return imm(a, b.dtype), b


def _constant(e: Expr) -> int | None:
    """The value of an integer immediate."""
    return int(e.value) if isinstance(e, Imm) and e.dtype.is_integer else None


_FOLD: dict[BinaryOp, Callable[[int, int], int]] = {
    BinaryOp.ADD: lambda x, y: x + y,
    BinaryOp.SUB: lambda x, y: x - y,
    BinaryOp.MUL: lambda x, y: x * y,
    BinaryOp.MIN: min,
    BinaryOp.MAX: max,
}

# x op identity == x
_RIGHT_IDENTITY = {
    BinaryOp.ADD: 0,
    BinaryOp.SUB: 0,
    BinaryOp.MUL: 1,
    BinaryOp.DIV: 1,
    BinaryOp.SHL: 0,
    BinaryOp.SHR: 0,
}


def binary(op: BinaryOp, a: Scalar, b: Scalar) -> Expr:
    """``a op b`` with integer immediates folded and identities dropped."""
    left, right = _operands(a, b)
    x, y = _constant(left), _constant(right)
    if x is not None and y is not None and op in _FOLD:
        low, high = left.dtype.bounds
        value = _FOLD[op](x, y)
        if low <= value <= high:
            return Imm(value, left.dtype)
    if y is not None and _RIGHT_IDENTITY.get(op) == y:
        return left
    if op is BinaryOp.ADD and x == 0:
        return right
    if op is BinaryOp.MUL and x == 1:
        return right
    if op is BinaryOp.MUL and 0 in (x, y):
        return Imm(0, left.dtype)
    return Binary(op, left, right)


def compare(op: CompareOp, a: Scalar, b: Scalar) -> Expr:
    """``a op b`` as a bool."""
    left, right = _operands(a, b)
    return Compare(op, left, right)


def minimum(a: Scalar, b: Scalar) -> Expr:
    return binary(BinaryOp.MIN, a, b)


def maximum(a: Scalar, b: Scalar) -> Expr:
    return binary(BinaryOp.MAX, a, b)


def clamp(value: Expr, low: int | float, high: int | float) -> Expr:
    """``value`` limited to [low, high]."""
    return minimum(maximum(value, low), high)


def select(condition: Expr, a: Scalar, b: Scalar) -> Expr:
    left, right = _operands(a, b)
    return Select(condition, left, right)
