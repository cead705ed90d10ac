"""Random typed expressions with their values, by an evaluator that never sees the C."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from aot.ir.expr import (
    Binary,
    BinaryOp,
    Buffer,
    Cast,
    Compare,
    CompareOp,
    Expr,
    Imm,
    Load,
    Select,
)
from aot.ir.types import Data, DType, TensorType

DTYPES = tuple(d for d in DType if d is not DType.FLOAT16)
ELEMENTS = 16
_OTHERS = (DType.INT8, DType.UINT8, DType.INT16, DType.UINT16, DType.UINT32)
_FLOATS = (0.0, -0.0, 1.0, -1.5, 3.25e-3, 1e10, -7e-42, float("inf"), float("nan"))
_ARITHMETIC = (BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.DIV, BinaryOp.MIN, BinaryOp.MAX)
_BITWISE = (BinaryOp.AND, BinaryOp.OR, BinaryOp.XOR)
_SHIFTS = (BinaryOp.SHL, BinaryOp.SHR)
_ORDER: dict[CompareOp, Callable[[Any, Any], bool]] = {
    CompareOp.EQ: lambda a, b: a == b,
    CompareOp.NE: lambda a, b: a != b,
    CompareOp.LT: lambda a, b: a < b,
    CompareOp.LE: lambda a, b: a <= b,
    CompareOp.GT: lambda a, b: a > b,
    CompareOp.GE: lambda a, b: a >= b,
}


class UndefinedBehaviourError(Exception):
    """C leaves the result open; no kernel may compute it."""


def source_buffer(dtype: DType) -> Buffer:
    return Buffer(f"in_{dtype.value}", TensorType((ELEMENTS,), dtype))


def bits(dtype: DType) -> int:
    return 8 * dtype.bytes


def wrapped(value: int, dtype: DType) -> int:
    """``value`` modulo 2**bits, in the range of ``dtype``."""
    low, high = dtype.bounds
    return (value - low) % (high - low + 1) + low


def arithmetic(op: BinaryOp, a: Any, b: Any, dtype: DType) -> Any:
    """``a op b``: C arithmetic whose result is brought back to ``dtype``."""
    if op is BinaryOp.MIN:
        return b if b < a else a
    if op is BinaryOp.MAX:
        return b if a < b else a
    if dtype.is_float:
        with np.errstate(all="ignore"):
            if op is BinaryOp.ADD:
                return a + b
            if op is BinaryOp.SUB:
                return a - b
            return a * b if op is BinaryOp.MUL else np.divide(a, b)
    exact = _integer(op, int(a), int(b), dtype)
    if dtype is DType.BOOL:
        return exact
    # Narrow results come back through a cast, unsigned ones and left shifts wrap.
    wraps = bits(dtype) < 32 or dtype is DType.UINT32 or op is BinaryOp.SHL
    if not wraps and wrapped(exact, dtype) != exact:
        raise UndefinedBehaviourError
    return wrapped(exact, dtype)


def _integer(op: BinaryOp, a: int, b: int, dtype: DType) -> int:
    if op in (BinaryOp.DIV, BinaryOp.MOD):
        if b == 0:
            raise UndefinedBehaviourError
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        if op is BinaryOp.MOD and bits(dtype) >= 32 and quotient > dtype.bounds[1]:
            raise UndefinedBehaviourError
        return quotient if op is BinaryOp.DIV else a - quotient * b
    if op in _SHIFTS:
        if not 0 <= b < bits(dtype):
            raise UndefinedBehaviourError
        return a << b if op is BinaryOp.SHL else a >> b
    table: dict[BinaryOp, Callable[[int, int], int]] = {
        BinaryOp.ADD: lambda x, y: x + y,
        BinaryOp.SUB: lambda x, y: x - y,
        BinaryOp.MUL: lambda x, y: x * y,
        BinaryOp.AND: lambda x, y: x & y,
        BinaryOp.OR: lambda x, y: x | y,
        BinaryOp.XOR: lambda x, y: x ^ y,
    }
    return table[op](a, b)


def converted(value: Any, source: DType, target: DType) -> Any:
    """``value`` as C converts it."""
    if target is DType.BOOL:
        return int(value != 0)
    if target.is_float:
        with np.errstate(all="ignore"):
            exact = value if source.is_float else np.int64(value)
            return exact.astype(target.value)
    if source.is_float:
        if not np.isfinite(value):
            raise UndefinedBehaviourError
        whole = int(value)
        if wrapped(whole, target) != whole:
            raise UndefinedBehaviourError
        return whole
    return wrapped(int(value), target)


class Trees:
    """Grows expressions over one input array per dtype.

    ``wide`` ones compute in bool, int32, int64 and floating types, as kernels do, and only load,
    convert and store the others.
    """

    def __init__(self, seed: int, wide: bool) -> None:
        self.random = random.Random(seed)
        self.wide = wide
        self.arrays = {d: self._array(d) for d in DTYPES}

    def _array(self, dtype: DType) -> Data:
        if dtype.is_float:
            values = [self._float() for _ in range(ELEMENTS)]
        else:
            values = [self._integer(dtype) for _ in range(ELEMENTS)]
        return Data.of(np.array(values, dtype.numpy), dtype)

    def _float(self) -> float:
        if self.random.random() < 0.3:
            return self.random.choice(_FLOATS)
        return self.random.uniform(-200.0, 200.0)

    def _integer(self, dtype: DType) -> int:
        if dtype is DType.BOOL:
            return self.random.randint(0, 1)
        low, high = dtype.bounds
        near = self.random.choice((low, low + 1, 0, high - 1, high))
        small = max(low, min(high, self.random.randint(-9, 9)))
        return self.random.choice((near, small, small, self.random.randint(low, high)))

    def leaf(self, dtype: DType) -> tuple[Expr, Any]:
        if self.random.random() < 0.6:
            index = self.random.randrange(ELEMENTS)
            element = self.arrays[dtype].array()[index]
            value = element if dtype.is_float else int(element)
            return Load(source_buffer(dtype), Imm(index, DType.INT32)), value
        if dtype.is_float:
            number = np.dtype(dtype.value).type(self._float())
            return Imm(float(number), dtype), number
        whole = self._integer(dtype)
        return Imm(whole, dtype), whole

    def tree(self, dtype: DType, depth: int) -> tuple[Expr, Any]:
        """An expression whose evaluation is defined, and its value."""
        if depth == 0 or self.random.random() < 0.1:
            return self.leaf(dtype)
        kind = self.random.random()
        if self.wide and dtype in _OTHERS:
            kind = 0.2
        if kind < 0.12:
            condition, chosen = self.tree(DType.BOOL, depth - 1)
            (a, x), (b, y) = self.tree(dtype, depth - 1), self.tree(dtype, depth - 1)
            return Select(condition, a, b), x if chosen else y
        if kind < 0.27:
            source = self.random.choice([d for d in DTYPES if d is not dtype])
            inner, value = self.tree(source, depth - 1)
            try:
                return Cast(inner, dtype), converted(value, source, dtype)
            except UndefinedBehaviourError:
                return self.leaf(dtype)
        if dtype is DType.BOOL and kind < 0.7:
            operands = self.random.choice(DTYPES)
            op = self.random.choice(tuple(CompareOp))
            (a, x), (b, y) = self.tree(operands, depth - 1), self.tree(operands, depth - 1)
            return Compare(op, a, b), int(_ORDER[op](x, y))
        return self._binary(dtype, depth)

    def _binary(self, dtype: DType, depth: int) -> tuple[Expr, Any]:
        if dtype.is_float:
            ops = _ARITHMETIC
        elif dtype is DType.BOOL:
            ops = _BITWISE
        else:
            ops = (*_ARITHMETIC, BinaryOp.MOD, *_SHIFTS, *_BITWISE)
        op = self.random.choice(ops)
        (a, x), (b, y) = self.tree(dtype, depth - 1), self.tree(dtype, depth - 1)
        if op in _SHIFTS:
            b, y = Binary(BinaryOp.AND, b, Imm(bits(dtype) - 1, dtype)), y & (bits(dtype) - 1)
        try:
            return Binary(op, a, b), arithmetic(op, x, y, dtype)
        except UndefinedBehaviourError:
            return a, x
