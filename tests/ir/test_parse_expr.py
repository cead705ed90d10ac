"""Expressions from text: precedence, names and errors."""

import pytest

from aot.ir.cursor import Cursor
from aot.ir.expr import Binary, BinaryOp, Buffer, Compare, CompareOp, Imm, Intrinsic, Load, Var
from aot.ir.lexer import ParseError
from aot.ir.parse_expr import ExprParser
from aot.ir.types import DType, TensorType

A, B, C = (Var(n, DType.INT32) for n in "abc")
X = Buffer("x", TensorType((4,), DType.INT8))


def parse(text):
    parser = ExprParser(Cursor(text))
    for var in (A, B, C):
        parser.declare_var(var)
    parser.declare_buffer(X)
    return parser.expr()


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a - b - c", "(a - b) - c"),
        ("a + b * c", "a + (b * c)"),
        ("a * b + c", "(a * b) + c"),
        ("a << b + c", "a << (b + c)"),
        ("a & b << c", "a & (b << c)"),
        ("a ^ b & c", "a ^ (b & c)"),
        ("a | b ^ c", "a | (b ^ c)"),
        ("a < b | c", "a < (b | c)"),
        ("((a))", "a"),
        ("a-1", "a - (1)"),
        ("a - -1", "a - (-1)"),
    ],
)
def test_precedence(text, same):
    assert parse(text) == parse(same)


def test_operators_bind_to_the_left():
    assert parse("a - b - c") == Binary(BinaryOp.SUB, Binary(BinaryOp.SUB, A, B), C)
    assert parse("a + b * c") == Binary(BinaryOp.ADD, A, Binary(BinaryOp.MUL, B, C))


def test_a_comparison_is_no_intrinsic():
    five = Imm(5, DType.INT32)
    assert parse("a < int32(5)") == Compare(CompareOp.LT, A, five)
    assert parse("a<int32>(5)") == Intrinsic("a", (five,), DType.INT32)


def test_a_name_that_is_no_identifier():
    parser = ExprParser(Cursor('"for"["x:0"] + 1'))
    buffer, var = Buffer("for", X.type), Var("x:0", DType.INT32)
    parser.declare_buffer(buffer)
    parser.declare_var(var)
    assert parser.expr() == Binary(BinaryOp.ADD, Load(buffer, var), Imm(1, DType.INT32))


@pytest.mark.parametrize(
    ("text", "column", "why"),
    [
        ("a +", 4, "expected an expression, found the end of the text"),
        ("a + d", 5, "variable `d` is not declared"),
        ("y[0]", 1, "buffer `y` is not declared"),
        ("x", 1, "variable `x` is not declared"),
        ("a[0]", 1, "buffer `a` is not declared"),
        ("x[0", 4, "expected `]`"),
        ("min(a)", 4, "expected 2 operands, found 1"),
        ("select(a, b)", 7, "expected 3 operands, found 2"),
        ("cast(a)", 5, "expected `<`"),
        ("cast<int9>(a)", 6, "expected an element type"),
        ("int8(a)", 6, "expected a number"),
        ("for", 1, "expected an expression, found `for`"),
        ("f<int8>(a b)", 11, "expected `)`"),
    ],
)
def test_errors(text, column, why):
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert caught.value.where == f"line 1, column {column}"
    assert why in caught.value.why
