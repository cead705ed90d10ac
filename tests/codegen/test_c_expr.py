"""Expressions: text for precedence, values for everything else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from aot.codegen.c_expr import ExprPrinter, helper
from aot.codegen.errors import NotPrintableError
from aot.ir.expr import (
    Address,
    Binary,
    BinaryOp,
    Buffer,
    Cast,
    Compare,
    CompareOp,
    Expr,
    Imm,
    Intrinsic,
    Load,
    Select,
    Var,
)
from aot.ir.tir import Param, ParamRole, PrimFunc, Seq, Store
from aot.ir.types import DType, TensorType
from tests.codegen.expressions import DTYPES, Trees, source_buffer
from tests.codegen.harness import C99, CPP11, SANITIZERS, build, run
from tests.codegen.modules import SCALAR, single_kernel

I32, U32, I8, U16, I64, F32 = (
    DType.INT32,
    DType.UINT32,
    DType.INT8,
    DType.UINT16,
    DType.INT64,
    DType.FLOAT32,
)
PRINTER = ExprPrinter("m", lambda buffer: buffer.name)
a, b, c = (Var(n, I32) for n in "abc")
flag = Var("flag", DType.BOOL)


def op(kind: BinaryOp, left: Expr, right: Expr) -> Expr:
    return Binary(kind, left, right)


def narrow(dtype: DType) -> tuple[Var, Var]:
    return Var("x", dtype), Var("y", dtype)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ((a + b) * c, "(a + b) * c"),
        (a + b * c, "a + b * c"),
        (a - (b - c), "a - (b - c)"),
        (a - b - c, "a - b - c"),
        (a * (b // c), "a * (b / c)"),
        (a * b // c, "a * b / c"),
        (a % b * c, "a % b * c"),
        (a + -5, "a - 5"),
        (a - -5, "a + 5"),
        (a + Imm(-(1 << 31), I32), "a + (-2147483647 - 1)"),
        (Imm(-5, I32) - a, "-5 - a"),
        ((a + b) >> 2, "(a + b) >> 2"),
        (a >> (b + c), "a >> (b + c)"),
        (a << (b + c), "(int32_t)((uint32_t)a << (b + c))"),
        ((a + b) << 1, "(int32_t)((uint32_t)(a + b) << 1)"),
        (Var("w", I64) << Imm(3, I64), "(int64_t)((uint64_t)w << INT64_C(3))"),
        (Var("u", U32) << Imm(3, U32), "u << 3u"),
        (op(BinaryOp.AND, a + b, c), "(a + b) & c"),
        (op(BinaryOp.OR, op(BinaryOp.AND, a, b), c), "(a & b) | c"),
        (op(BinaryOp.XOR, a, op(BinaryOp.XOR, b, c)), "a ^ (b ^ c)"),
        (Compare(CompareOp.EQ, a < b, flag), "(a < b) == flag"),
        (Compare(CompareOp.LT, a + b, c), "a + b < c"),
        (op(BinaryOp.AND, a < b, flag), "(a < b) & flag"),
        (Select(a < b, a, b) + c, "(a < b ? a : b) + c"),
        (Select(flag, a, Select(a < b, b, c)), "flag ? a : a < b ? b : c"),
        (Select(flag, Select(a < b, b, c), a), "flag ? (a < b ? b : c) : a"),
        (Cast(a + b, I8), "(int8_t)(a + b)"),
        (Cast(Imm(-1, I32), I8), "(int8_t)-1"),
        (Cast(Cast(a, I8), F32), "(float)(int8_t)a"),
        (Cast(a, DType.BOOL), "a != 0"),
        (Cast(Var("f", F32), DType.BOOL), "f != 0.0f"),
        (op(BinaryOp.ADD, *narrow(I8)), "(int8_t)(x + y)"),
        (op(BinaryOp.MUL, *narrow(U16)), "(uint16_t)((uint32_t)x * y)"),
        (op(BinaryOp.MIN, a + b, c), "m_min_int32(a + b, c)"),
        (
            Intrinsic("mix", (Address(Buffer("w", TensorType((4,), I8)), a + b), c), I32),
            "m_mix(&w[a + b], c)",
        ),
    ],
)
def test_text(expression: Expr, text: str):
    assert PRINTER.text(expression) == text


def test_symbols_stand_for_buffers():
    printer = ExprPrinter("m", lambda buffer: f"m_const_{buffer.name}")
    assert printer.text(Load(Buffer("w", TensorType((4,), I8)), a)) == "m_const_w[a]"


def test_helpers_evaluate_their_operands_once():
    assert helper("m", BinaryOp.MIN, F32) == (
        "static inline float m_min_float32(float a, float b) {\n  return b < a ? b : a;\n}\n"
    )


@pytest.mark.parametrize(
    "expression",
    [
        Imm(1.0, DType.FLOAT16),
        Binary(BinaryOp.ADD, Var("h", DType.FLOAT16), Var("h", DType.FLOAT16)),
        Cast(Var("h", DType.FLOAT16), F32),
        Cast(Var("f", F32), DType.FLOAT16),
    ],
)
def test_float16_arithmetic_is_refused(expression: Expr):
    with pytest.raises(NotPrintableError, match="float16"):
        PRINTER.text(expression)


# Warnings about single values, which random trees cannot avoid.
CALM = ("-Wno-type-limits", "-Wno-div-by-zero", "-Wno-tautological-compare", "-Wno-bool-compare")
# GCC 12 warns about arithmetic in narrow types although its result is cast, where it folds casts.
NO_CONVERSION = tuple(
    f"-Wno-{w}" for w in ("conversion", "sign-conversion", "overflow", "sign-compare")
)


@pytest.mark.parametrize(
    ("seed", "command", "flags"),
    [
        (1, C99, ("-O0", *SANITIZERS)),
        (2, C99, ("-O2",)),
        (3, C99, ("-Os",)),
        (4, CPP11, ("-O0", *SANITIZERS)),
        (5, CPP11, ("-O3",)),
    ],
    ids=lambda value: value if isinstance(value, int) else value[0],
)
@pytest.mark.parametrize("wide", [True, False], ids=["wide", "all"])
def test_random_expressions_compute_what_they_mean(
    tmp_path: Path, wide: bool, seed: int, command: tuple[str, ...], flags: tuple[str, ...]
):
    trees, count = Trees(seed, wide), 40
    wanted: dict[DType, list[object]] = {}
    stores: list[Store] = []
    for dtype in DTYPES:
        target = Buffer(f"out_{dtype.value}", TensorType((count,), dtype))
        wanted[dtype] = []
        for i in range(count):
            expression, value = trees.tree(dtype, 1 + i % 4)
            stores.append(Store(target, Imm(i, I32), expression))
            wanted[dtype].append(value)
    inputs = [Param(s.name, ParamRole.INPUT, s) for s in map(source_buffer, DTYPES)]
    outputs = [
        Param(n, ParamRole.OUTPUT, Buffer(n, TensorType((count,), d)))
        for n, d in ((f"out_{d.value}", d) for d in DTYPES)
    ]
    kernel = PrimFunc("trees", (*inputs, *outputs), Seq(tuple(stores)), SCALAR)
    calm = CALM if wide else (*CALM, *NO_CONVERSION)
    program = build(tmp_path, [single_kernel(kernel)], *flags, *calm, command=command)
    raw = run(program, b"".join(trees.arrays[d].raw for d in DTYPES))
    for dtype in DTYPES:
        size = count * dtype.bytes
        got, raw = np.frombuffer(raw[:size], dtype.numpy), raw[size:]
        np.testing.assert_array_equal(got, np.array(wanted[dtype], dtype.numpy), dtype.value)
        if dtype.is_float:
            signs = np.signbit(np.array(wanted[dtype], dtype.numpy))
            numbers = ~np.isnan(got)
            np.testing.assert_array_equal(np.signbit(got)[numbers], signs[numbers], dtype.value)
    assert raw == b""
