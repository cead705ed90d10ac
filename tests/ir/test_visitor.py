"""Walks see everything once and in order; rewriting shares what does not change."""

from aot.ir.expr import (
    Address,
    Binary,
    BinaryOp,
    Buffer,
    Cast,
    Compare,
    CompareOp,
    Intrinsic,
    Load,
    Select,
    Var,
    imm,
)
from aot.ir.tir import (
    Allocate,
    Assign,
    DeviceHook,
    Evaluate,
    For,
    HookKind,
    If,
    Invoke,
    Let,
    Local,
    Seq,
    Store,
)
from aot.ir.types import DType, TensorType
from aot.ir.visitor import accessed, bodies, children, expressions, rewrite, walk, walk_expr

TYPE = TensorType((4,), DType.INT32)
A, B, C, D = (Buffer(n, TYPE) for n in "abcd")
X, Y = Var("x", DType.INT32), Var("y", DType.INT32)
ZERO, ONE = imm(0), imm(1)
POSITIVE = Compare(CompareOp.GT, X, ZERO)
SUM = Binary(BinaryOp.ADD, X, Y)


def store(buffer, value=ZERO):
    return Store(buffer, ZERO, value)


def test_children_of_every_expression():
    assert children(ZERO) == ()
    assert children(X) == ()
    assert children(Load(A, X)) == (X,)
    assert children(Address(A, Y)) == (Y,)
    assert children(SUM) == (X, Y)
    assert children(POSITIVE) == (X, ZERO)
    assert children(Select(POSITIVE, X, Y)) == (POSITIVE, X, Y)
    assert children(Cast(SUM, DType.INT8)) == (SUM,)
    assert children(Intrinsic("f", (X, SUM), DType.INT32)) == (X, SUM)


def test_walk_expr_is_outermost_first():
    load = Load(A, SUM)
    assert list(walk_expr(Cast(load, DType.INT8))) == [Cast(load, DType.INT8), load, SUM, X, Y]


def test_expressions_of_every_statement():
    call = Intrinsic("f", (), DType.INT32)
    inner = Seq((store(A, SUM),))
    assert expressions(For(X, ZERO, ONE, inner)) == (ZERO, ONE)
    assert expressions(If(POSITIVE, inner)) == (POSITIVE,)
    assert expressions(Let(X, SUM)) == (SUM,)
    assert expressions(Local(X, SUM)) == (SUM,)
    assert expressions(Assign(X, Y)) == (Y,)
    assert expressions(Store(A, X, Y)) == (X, Y)
    assert expressions(Evaluate(call)) == (call,)
    assert expressions(Allocate(A)) == ()


def test_bodies_of_every_statement():
    one, two = Seq((store(A),)), Seq((store(B),))
    assert bodies(For(X, ZERO, ONE, one)) == (one,)
    assert bodies(If(POSITIVE, one)) == (one,)
    assert bodies(If(POSITIVE, one, two)) == (one, two)
    assert bodies(one) == (one,)
    assert bodies(store(A)) == ()


def test_walk_follows_the_text():
    branch = If(POSITIVE, Seq((store(B),)), Seq((store(C),)))
    loop = For(X, ZERO, ONE, Seq((store(A), branch)))
    seq = Seq((loop, store(D)))
    assert list(walk(seq)) == [loop, store(A), branch, store(B), store(C), store(D)]


def test_accessed_names_reads_writes_and_arguments():
    assert list(accessed(Store(A, Load(B, ZERO), Load(C, ZERO)))) == [A, B, C]
    assert list(accessed(Invoke("f", (A, B, A)))) == [A, B, A]
    call = Intrinsic("f", (Address(D, Load(A, ZERO)),), DType.INT32)
    assert list(accessed(Evaluate(call))) == [D, A]
    assert list(accessed(For(X, Load(B, ZERO), ONE, Seq((store(A),))))) == [B]
    assert list(accessed(Allocate(A))) == []
    assert list(accessed(DeviceHook(D, HookKind.OPEN))) == []


def test_rewrite_goes_innermost_first():
    seen = []
    inner = Seq((store(A),))
    branch = If(POSITIVE, inner, Seq((store(B),)))
    loop = For(X, ZERO, ONE, Seq((branch,)))

    def change(s):
        seen.append(type(s).__name__)
        return Store(C, s.index, s.value) if isinstance(s, Store) else s

    assert rewrite(Seq((loop,)), change) == Seq(
        (For(X, ZERO, ONE, Seq((If(POSITIVE, Seq((store(C),)), Seq((store(C),))),))),)
    )
    assert seen == ["Store", "Store", "If", "For"]


def test_rewrite_drops_what_becomes_none():
    seq = Seq((store(A), For(X, ZERO, ONE, Seq((store(B), store(A))))))
    changed = rewrite(seq, lambda s: None if s == store(A) else s)
    assert changed == Seq((For(X, ZERO, ONE, Seq((store(B),))),))


def test_rewrite_shares_what_does_not_change():
    loop, other = For(X, ZERO, ONE, Seq((store(A),))), For(Y, ZERO, ONE, Seq((store(B),)))
    seq = Seq((loop, other))
    assert rewrite(seq, lambda s: s) is seq
    changed = rewrite(seq, lambda s: store(C) if s == store(B) else s)
    assert changed.body[0] is loop
    assert changed.body[1] == For(Y, ZERO, ONE, Seq((store(C),)))
    assert seq.body[1] is other


def test_rewrite_reaches_sequences_in_sequences():
    seq = Seq((Seq((store(A),)), store(B)))
    assert rewrite(seq, lambda s: store(C) if s == store(A) else s) == Seq(
        (Seq((store(C),)), store(B))
    )
    assert rewrite(seq, lambda s: s) is seq
