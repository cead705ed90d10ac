"""Statements as lines of C."""

from __future__ import annotations

import pytest

from aot.codegen.c_expr import ExprPrinter
from aot.codegen.c_stmt import StatementPrinter, used_buffers
from aot.codegen.errors import NotPrintableError
from aot.ir.expr import Binary, BinaryOp, Compare, CompareOp, Imm, Load, Var
from aot.ir.tir import (
    Allocate,
    AllocateConst,
    Assign,
    CallingConvention,
    For,
    ForKind,
    If,
    Invoke,
    Let,
    Local,
    PoolView,
    PrimFunc,
    Seq,
    Stmt,
    Store,
)
from aot.ir.types import Data, DType
from tests.codegen.modules import SCALAR, buffer

I32 = DType.INT32
i, x = Var("i", I32), Var("x", I32)
out = buffer("out", DType.INT8, 8)
flags = buffer("flags", DType.BOOL, 8)
ram = buffer("ram", DType.UINT8, 64)


def lines(*statements: Stmt, read_only: tuple[str, ...] = ()) -> list[str]:
    body = Seq(statements)
    packed = CallingConvention.PACKED
    functions = {
        "plain": PrimFunc("plain", (), Seq(()), SCALAR),
        "packed": PrimFunc("packed", (), Seq(()), SCALAR, packed),
    }
    printer = StatementPrinter(
        "m",
        functions,
        ExprPrinter("m", lambda b: b.name),
        frozenset(read_only),
        used_buffers(body),
        "M_ERROR_DEVICE",
    )
    return list(printer.lines(body))


def store(index: int = 0) -> Store:
    return Store(out, Imm(index, I32), Imm(1, DType.INT8))


@pytest.mark.parametrize("kind", [ForKind.SERIAL, ForKind.UNROLLED, ForKind.VECTORIZED])
def test_loops_are_plain(kind: ForKind):
    loop = For(i, Imm(0, I32), Imm(8, I32), Seq((Store(out, i, Imm(1, DType.INT8)),)), kind)
    assert lines(loop) == [
        "  for (int32_t i = 0; i < 8; ++i) {",
        "    out[i] = 1;",
        "  }",
    ]


def test_loop_with_a_step():
    assert lines(For(i, x, Imm(8, I32), Seq((store(),)), step=4))[0] == (
        "  for (int32_t i = x; i < 8; i += 4) {"
    )


def test_parallel_loops_are_refused():
    loop = For(i, Imm(0, I32), Imm(8, I32), Seq(()), ForKind.PARALLEL)
    with pytest.raises(NotPrintableError, match="`i` is parallel; run ConvertForLoopsToSerial"):
        lines(loop)


def test_allocations_are_refused_and_constants_need_no_line():
    with pytest.raises(NotPrintableError, match="Allocate has no C form; run the USMP passes"):
        lines(Allocate(out))
    assert lines(AllocateConst(out, Data.of([0] * 8, DType.INT8))) == []


def test_if_and_else():
    condition = Compare(CompareOp.LT, x, Imm(0, I32))
    assert lines(If(condition, Seq((store(0),)), Seq((store(1),)))) == [
        "  if (x < 0) {",
        "    out[0] = 1;",
        "  } else {",
        "    out[1] = 1;",
        "  }",
    ]


def test_scalars():
    flag, narrow = Var("flag", DType.BOOL), Var("n", DType.INT8)
    assert lines(
        Let(flag, Compare(CompareOp.LT, i, x)),
        Local(x, Imm(0, I32)),
        Assign(x, Imm(2, I32)),
        Assign(x, x + i * 2),
        Assign(x, x - i),
        Assign(x, Binary(BinaryOp.MUL, x, x + i)),
        Assign(x, i - x),
        Assign(x, x // 3),
        Assign(narrow, Binary(BinaryOp.ADD, narrow, Imm(1, DType.INT8))),
        Store(flags, Imm(0, I32), flag),
        Store(flags, Imm(1, I32), Load(flags, Imm(2, I32))),
    ) == [
        "  const int flag = i < x;",
        "  int32_t x = 0;",
        "  x = 2;",
        "  x += i * 2;",
        "  x -= i;",
        "  x *= x + i;",
        "  x = i - x;",
        "  x = x / 3;",
        "  n = (int8_t)(n + 1);",
        "  flags[0] = (uint8_t)flag;",
        "  flags[1] = flags[2];",
    ]


def test_views_go_by_way_of_void_and_unused_ones_leave_no_line():
    words, rest = buffer("words", I32, 4), buffer("rest", I32, 4)
    load = Load(words, Imm(0, I32))
    assert lines(PoolView(words, ram, 0), PoolView(rest, ram, 16), Let(x, load))[:-1] == [
        "  int32_t *const words = (int32_t *)(void *)ram;",
    ]
    assert lines(PoolView(words, ram, 16), Let(x, load), read_only=("ram",))[:-1] == [
        "  const int32_t *const words = (const int32_t *)(const void *)(ram + 16);",
    ]


def test_packed_arguments_stay_apart_from_a_buffer_called_args():
    args = buffer("args", DType.INT8, 8)
    assert lines(Invoke("plain", (args, out)), Invoke("packed", (args, out))) == [
        "  m_plain(args, out);",
        "  {",
        "    void *const args_[] = {(void *)args, (void *)out};",
        "    m_packed(args_);",
        "  }",
    ]
