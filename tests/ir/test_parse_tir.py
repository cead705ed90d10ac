"""Functions and statements from text; errors at their place."""

import pytest

from aot.ir.cursor import Cursor
from aot.ir.expr import Buffer, Imm, Var
from aot.ir.lexer import ParseError
from aot.ir.parse_tir import parse_prim_func
from aot.ir.target import Target
from aot.ir.tir import (
    Allocate,
    Assign,
    CallingConvention,
    For,
    ForKind,
    Let,
    Param,
    ParamRole,
    PrimFunc,
    Seq,
    Store,
)
from aot.ir.types import DType, TensorType

TARGET = Target("scalar")
X = Buffer("x", TensorType((4,), DType.INT32))


def parse(text):
    return parse_prim_func(Cursor(text), TARGET)


def i32(value):
    return Imm(value, DType.INT32)


def test_a_function_by_hand():
    function = parse(
        """func f(output out = x: int32[4] as "y:0") attributes {convention=PACKED} {
             var n: int32 = 2  // statements need no separator
             unrolled for i in 0 .. n step 2 { x[i] = n n = i }
           }"""
    )
    i, n = Var("i", DType.INT32), Var("n", DType.INT32)
    loop = For(i, i32(0), n, Seq((Store(X, i, n), Assign(n, i))), ForKind.UNROLLED, 2)
    assert function == PrimFunc(
        "f",
        (Param("out", ParamRole.OUTPUT, X, "y:0"),),
        Seq((function.body.body[0], loop)),
        TARGET,
        CallingConvention.PACKED,
    )


def test_a_function_may_have_a_target_of_its_own():
    assert parse("func f() {}").target == TARGET
    assert parse('func f() attributes {target={name="dsp"}} {}').target == Target("dsp")


def test_a_name_means_what_was_last_declared():
    body = parse("func f() { let a: int8 = int8(1) let a: int32 = a let b: int32 = a }").body.body
    old, new = Var("a", DType.INT8), Var("a", DType.INT32)
    assert body == (
        Let(old, Imm(1, DType.INT8)),
        Let(new, old),
        Let(Var("b", DType.INT32), new),
    )


def test_what_is_not_declared_is_given_with_its_type():
    body = parse("func f() { (x: int32[4])[0] = 1 (n: int32) = 2 }").body.body
    assert body == (Store(X, i32(0), i32(1)), Assign(Var("n", DType.INT32), i32(2)))


def test_attributes_of_a_statement():
    (statement,) = parse('func f() { allocate x: int32[4] {origin="a", alignment=8} }').body.body
    assert statement == Allocate(X, alignment=8, origin="a")


@pytest.mark.parametrize(
    ("text", "column", "why"),
    [
        ("func f( {}", 9, "expected a role (input, output, constant"),
        ("func f() attributes {name=1} {}", 22, "there is no attribute `name`"),
        ("func f() { x = 1 }", 12, "variable `x` is not declared"),
        ("func f() { x[0] = 1 }", 12, "buffer `x` is not declared"),
        ("func f() { while }", 12, "variable `while` is not declared"),
        ("func f() { + }", 12, "expected a statement or `}`, found `+`"),
        ("func f() { for i in 0 { } }", 23, "expected `..`"),
        ("func f() { for in in 0 .. 1 { } }", 16, "expected a variable, found `in`"),
        ("func f() { let x = 1 }", 18, "expected `:`"),
        ("func f() { device start npu }", 19, "expected a hook (activate, open"),
        ("func f() { view v: int8[1] = p + 0 }", 30, "buffer `p` is not declared"),
        ("func f() { if true { } else ", 29, "expected `{`"),
    ],
)
def test_errors(text, column, why):
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert caught.value.where == f"line 1, column {column}"
    assert why in caught.value.why
