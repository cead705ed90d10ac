"""Expressions as text, with no more parentheses than they need."""

import math

import pytest

from aot.ir.expr import (
    Address,
    Binary,
    BinaryOp,
    Buffer,
    Cast,
    Compare,
    CompareOp,
    Imm,
    Intrinsic,
    Load,
    Select,
    Var,
    imm,
)
from aot.ir.print_expr import ExprPrinter
from aot.ir.print_types import TypePrinter
from aot.ir.types import DType, TensorType

A, B, C = (Var(n, DType.INT32) for n in "abc")
X = Buffer("x", TensorType((4,), DType.INT8))


@pytest.fixture
def printer():
    printer = ExprPrinter(TypePrinter())
    for declared in (A, B, C, X):
        printer.declare(declared)
    return printer


def add(a, b):
    return Binary(BinaryOp.ADD, a, b)


def sub(a, b):
    return Binary(BinaryOp.SUB, a, b)


def mul(a, b):
    return Binary(BinaryOp.MUL, a, b)


def less(a, b):
    return Compare(CompareOp.LT, a, b)


@pytest.mark.parametrize(
    ("e", "text"),
    [
        (imm(-5), "-5"),
        (imm(0.5, DType.FLOAT32), "0.5"),
        (imm(math.inf, DType.FLOAT32), "inf"),
        (imm(5, DType.INT8), "int8(5)"),
        (imm(0.5, DType.FLOAT64), "float64(0.5)"),
        (Imm(5, DType.FLOAT32), "float32(5)"),
        (Imm(0.5, DType.INT32), "int32(0.5)"),
        (imm(1, DType.BOOL), "true"),
        (imm(0, DType.BOOL), "false"),
        (Imm(2, DType.BOOL), "bool(2)"),
        (A, "a"),
        (Load(X, add(A, B)), "x[a + b]"),
        (Address(X, imm(0)), "&x[0]"),
        (add(add(A, B), C), "a + b + c"),
        (add(A, add(B, C)), "a + (b + c)"),
        (sub(A, sub(B, C)), "a - (b - c)"),
        (add(mul(A, B), C), "a * b + c"),
        (mul(add(A, B), C), "(a + b) * c"),
        (mul(A, imm(-1)), "a * -1"),
        (Binary(BinaryOp.AND, add(A, B), C), "a + b & c"),
        (Binary(BinaryOp.OR, A, Binary(BinaryOp.XOR, B, C)), "a | b ^ c"),
        (Binary(BinaryOp.SHR, A, add(B, C)), "a >> b + c"),
        (Binary(BinaryOp.MAX, A, less(B, C)), "max(a, b < c)"),
        (less(add(A, B), C), "a + b < c"),
        (less(less(A, B), C), "(a < b) < c"),
        (add(less(A, B), C), "(a < b) + c"),
        (Select(less(A, B), A, B), "select(a < b, a, b)"),
        (Cast(add(A, B), DType.INT8), "cast<int8>(a + b)"),
        (Intrinsic("f", (A, add(A, B)), DType.INT32), "f<int32>(a, a + b)"),
        (Intrinsic("cast", (), DType.INT8), '"cast"<int8>()'),
    ],
)
def test_expressions(printer, e, text):
    assert printer.text(e) == text


def test_what_is_not_declared_so_comes_with_its_type(printer):
    assert printer.text(Var("a", DType.INT8)) == "(a: int8)"
    assert printer.text(Var("z", DType.INT32)) == "(z: int32)"
    other = Buffer("x", TensorType((5,), DType.INT8))
    assert printer.text(Load(other, A)) == "(x: int8[5])[a]"
    assert printer.declare(other) == "x: int8[5]"
    assert printer.text(Load(other, A)) == "x[a]"
    assert printer.text(Load(X, A)) == "(x: int8[4])[a]"
