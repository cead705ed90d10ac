"""Rules of expressions, each broken once."""

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
from aot.ir.types import DType, TensorType
from aot.ir.verify_errors import (
    DuplicateNameError,
    IntrinsicError,
    OperandTypeError,
    OutOfBoundsError,
    UndefinedError,
)
from aot.ir.verify_expr import Scope

from . import modules

INDEX, F, T = Var("i", DType.INT32), Var("f", DType.FLOAT32), Var("t", DType.BOOL)
X = Buffer("x", TensorType((4,), DType.INT8))


@pytest.fixture
def scope():
    scope = Scope("function f", {i.name: i for i in modules.INTRINSICS})
    for declared in (INDEX, F, T, X):
        scope.declare(declared)
    return scope


@pytest.mark.parametrize(
    ("e", "dtype"),
    [
        (INDEX, DType.INT32),
        (imm(-128, DType.INT8), DType.INT8),
        (imm(math.nan, DType.FLOAT32), DType.FLOAT32),
        (Load(X, imm(3)), DType.INT8),
        (Binary(BinaryOp.DIV, F, F), DType.FLOAT32),
        (Binary(BinaryOp.AND, T, T), DType.BOOL),
        (Compare(CompareOp.LT, F, F), DType.BOOL),
        (Select(T, INDEX, imm(1)), DType.INT32),
        (Cast(F, DType.INT16), DType.INT16),
        (Intrinsic("round_half", (INDEX, INDEX), DType.INT32), DType.INT32),
        (Intrinsic("fetch", (Address(X, INDEX), INDEX), DType.INT32), DType.INT32),
    ],
)
def test_right_expressions_have_a_type(scope, e, dtype):
    assert scope.dtype(e) is dtype


@pytest.mark.parametrize(
    ("e", "error", "message"),
    [
        (Var("j", DType.INT32), UndefinedError, "variable `j` is not declared here"),
        (Var("i", DType.INT8), OperandTypeError, "variable `i` changes its type"),
        (Load(Buffer("y", X.type), INDEX), UndefinedError, "buffer `y` is not declared here"),
        (
            Load(Buffer("x", TensorType((5,), DType.INT8)), INDEX),
            OperandTypeError,
            "buffer `x` changes its type",
        ),
        (Load(X, imm(4)), OutOfBoundsError, "index 4 of `x`, which has 4"),
        (Load(X, imm(-1)), OutOfBoundsError, "index -1 of `x`"),
        (Load(X, F), OperandTypeError, "float32 where int32 belongs"),
        (Load(X, imm(0, DType.INT64)), OperandTypeError, "int64 where int32 belongs"),
        (Address(X, INDEX), OperandTypeError, "Address of `x` outside an intrinsic"),
        (Cast(Address(X, INDEX), DType.INT32), OperandTypeError, "outside an intrinsic"),
        (Imm(128, DType.INT8), OperandTypeError, "128 is no int8"),
        (Imm(0.5, DType.INT32), OperandTypeError, "0.5 is no int32"),
        (Imm(1, DType.FLOAT32), OperandTypeError, "1 is no float32"),
        (Imm(2, DType.BOOL), OperandTypeError, "2 is no bool"),
        (Binary(BinaryOp.ADD, INDEX, F), OperandTypeError, "float32 where int32 belongs"),
        (Binary(BinaryOp.SHL, F, F), OperandTypeError, "<< of float32"),
        (Binary(BinaryOp.ADD, T, T), OperandTypeError, "+ of bool"),
        (Compare(CompareOp.EQ, INDEX, F), OperandTypeError, "float32 where int32 belongs"),
        (Select(INDEX, INDEX, INDEX), OperandTypeError, "int32 where bool belongs"),
        (Select(T, INDEX, F), OperandTypeError, "float32 where int32 belongs"),
        (
            Cast(Var("j", DType.INT8), DType.INT32),
            UndefinedError,
            "variable `j` is not declared here",
        ),
        (
            Intrinsic("lost", (), DType.INT32),
            IntrinsicError,
            "the target has no intrinsic `lost`",
        ),
        (
            Intrinsic("round_half", (INDEX,), DType.INT32),
            IntrinsicError,
            "intrinsic `round_half` is (int32, int32) -> int32, not (int32) -> int32",
        ),
        (
            Intrinsic("round_half", (INDEX, INDEX), DType.INT8),
            IntrinsicError,
            "not (int32, int32) -> int8",
        ),
        (
            Intrinsic("fetch", (Load(X, INDEX), INDEX), DType.INT32),
            IntrinsicError,
            "intrinsic `fetch` is (address, int32) -> int32, not (int8, int32) -> int32",
        ),
        (
            Intrinsic("fetch", (Address(X, imm(9)), INDEX), DType.INT32),
            OutOfBoundsError,
            "index 9 of `x`",
        ),
    ],
)
def test_a_broken_rule(scope, e, error, message):
    with pytest.raises(error) as caught:
        scope.dtype(e)
    assert message in str(caught.value)
    assert caught.value.where == "function f"


@pytest.mark.parametrize("declared", [INDEX, Buffer("i", X.type), Var("x", DType.INT8)])
def test_a_name_means_one_thing(scope, declared):
    with pytest.raises(DuplicateNameError, match="is declared twice"):
        scope.declare(declared)
