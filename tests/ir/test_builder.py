"""BodyBuilder nests scopes, folds trivial loops and keeps names unique."""

import pytest

from aot.ir.builder import BodyBuilder
from aot.ir.expr import Binary, BinaryOp, Buffer, Imm, Intrinsic, Load, Var, imm
from aot.ir.tir import Assign, Evaluate, For, ForKind, If, Let, Local, Seq, Store
from aot.ir.types import DType, TensorType

BUFFER = Buffer("x", TensorType((8,), DType.INT16))


def i32(value):
    return Imm(value, DType.INT32)


def test_statements_come_in_order():
    b = BodyBuilder()
    b.store(BUFFER, 0, 5)
    b.evaluate(Intrinsic("wait", (), DType.INT32))
    assert b.body() == Seq(
        (
            Store(BUFFER, i32(0), Imm(5, DType.INT16)),
            Evaluate(Intrinsic("wait", (), DType.INT32)),
        )
    )


def test_loops_and_conditions_nest():
    b = BodyBuilder()
    with b.loop("i", 0, 8, step=2, kind=ForKind.UNROLLED) as i, b.when(Load(BUFFER, i) > 3):
        b.store(BUFFER, i, 0)
    (loop,) = b.body().body
    assert isinstance(loop, For)
    assert (loop.var, loop.start, loop.stop) == (Var("i", DType.INT32), i32(0), i32(8))
    assert (loop.kind, loop.step) == (ForKind.UNROLLED, 2)
    (condition,) = loop.body.body
    assert isinstance(condition, If)
    assert condition.then.body == (Store(BUFFER, loop.var, Imm(0, DType.INT16)),)
    assert condition.otherwise is None


@pytest.mark.parametrize(("start", "stop", "step"), [(3, 4, 1), (0, 2, 2), (0, 1, 4)])
def test_a_loop_of_one_turn_is_its_body(start, stop, step):
    b = BodyBuilder()
    with b.loop("i", start, stop, step) as i:
        b.store(BUFFER, i, 1)
    assert b.body().body == (Store(BUFFER, i32(start), Imm(1, DType.INT16)),)


@pytest.mark.parametrize(("start", "stop", "step"), [(0, 2, 1), (0, 3, 2), (0, 0, 1), (4, 2, 1)])
def test_any_other_loop_stays(start, stop, step):
    b = BodyBuilder()
    with b.loop("i", start, stop, step) as i:
        b.store(BUFFER, i, 1)
    assert isinstance(b.body().body[0], For)


def test_a_loop_with_variable_bounds_stays():
    b = BodyBuilder()
    n = b.local("n", 1)
    with b.loop("i", n, n + 1):
        pass
    assert b.body().body[1] == For(
        Var("i", DType.INT32), n, Binary(BinaryOp.ADD, n, i32(1)), Seq(())
    )


def test_names_are_unique():
    b = BodyBuilder()
    assert [b.fresh(n) for n in ("i", "i", "i_2", "i", "j")] == ["i", "i_2", "i_2_2", "i_3", "j"]


def test_let_names_only_what_is_computed():
    b = BodyBuilder()
    five, n = imm(5), Var("n", DType.INT32)
    assert b.let("a", five) is five
    assert b.let("a", n) is n
    named = b.let("a", n + 1)
    assert named == Var("a", DType.INT32)
    assert b.body().body == (Let(named, Binary(BinaryOp.ADD, n, i32(1))),)


def test_locals_take_their_type_from_an_expression_else_from_the_argument():
    b = BodyBuilder()
    total = b.local("total", 0, DType.FLOAT32)
    first = b.local("first", Load(BUFFER, imm(0)))
    b.assign(total, 2)
    assert b.body().body == (
        Local(Var("total", DType.FLOAT32), Imm(0.0, DType.FLOAT32)),
        Local(Var("first", DType.INT16), Load(BUFFER, i32(0))),
        Assign(total, Imm(2.0, DType.FLOAT32)),
    )
    assert first.type is DType.INT16
