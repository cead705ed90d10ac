"""Functions and every kind of statement as text."""

from aot.ir.expr import Buffer, Imm, Intrinsic, Load, Var, imm
from aot.ir.print_tir import prim_func
from aot.ir.print_types import TypePrinter
from aot.ir.target import Target
from aot.ir.tir import (
    Allocate,
    AllocateConst,
    Assign,
    CallingConvention,
    DeviceHook,
    Evaluate,
    For,
    ForKind,
    HookKind,
    If,
    Interface,
    Invoke,
    Let,
    Local,
    Param,
    ParamRole,
    PoolView,
    PrimFunc,
    Seq,
    Store,
)
from aot.ir.types import Data, DType, TensorType

TARGET = Target("scalar")
X, Y = Buffer("x", TensorType((4,), DType.INT32)), Buffer("y", TensorType((4,), DType.INT32))
POOL, NPU = (Buffer(n, TensorType((64,), DType.UINT8)) for n in ("pool", "npu"))
I32 = DType.INT32


def lines(*body, params=(), **fields):
    function = PrimFunc("f", params, Seq(body), fields.pop("target", TARGET), **fields)
    return list(prim_func(function, TypePrinter(), TARGET))


def test_the_head_of_a_function():
    assert lines() == ["func f() {", "}"]
    params = (
        Param("x", ParamRole.INPUT, X, "in:0"),
        Param("out", ParamRole.OUTPUT, Y),
        Param("npu", ParamRole.DEVICE, NPU),
    )
    assert lines(
        params=params,
        target=Target("dsp", ("simd",)),
        convention=CallingConvention.PACKED,
        io_bytes=8,
    ) == [
        "func f(",
        '  input x: int32[4] as "in:0",',
        "  output out = y: int32[4],",
        "  device npu: uint8[64],",
        ') attributes {target={name="dsp", features=("simd",)}, convention=PACKED, io_bytes=8} {',
        "}",
    ]


def test_every_statement():
    i, n, total = Var("i", I32), Var("n", I32), Var("total", I32)
    wide = Var("wide", DType.INT64)
    store = Store(X, i, total)
    pools = (Param("pool", ParamRole.WORKSPACE_POOL, POOL), Param("npu", ParamRole.DEVICE, NPU))
    big = Data((4,), I32, bytes(40))
    io = Interface(ParamRole.INPUT, "x", "in:0")
    assert lines(
        Allocate(X, alignment=16, candidates=("ram",), io=io, origin="here"),
        AllocateConst(Y, Data.of([1, 2, 3, 4], I32), alignment=8),
        AllocateConst(Buffer("big", X.type), big),
        PoolView(Buffer("v", X.type), POOL, 16),
        Let(n, imm(4)),
        Local(total, Load(X, imm(0))),
        For(i, imm(0), n, Seq((store, Assign(total, n)))),
        For(wide, imm(0), n, Seq(()), ForKind.PARALLEL, 2),
        If(imm(1, DType.BOOL), Seq((Assign(total, n),))),
        If(imm(0, DType.BOOL), Seq(()), Seq((Evaluate(Intrinsic("wait", (n,), I32)),))),
        Seq((Assign(total, imm(1)),)),
        Invoke("g", (X, Y), live_bytes=32, origin="CONV #1"),
        DeviceHook(NPU, HookKind.ACTIVATE),
        params=pools,
    )[4:] == [
        '  allocate x: int32[4] {alignment=16, candidates=("ram",), '
        'io={role=INPUT, name="x", tensor="in:0"}, origin="here"}',
        '  constant y: int32[4] {alignment=8} = hex "01000000 02000000 03000000 04000000"',
        "  constant big: int32[4] = base64 {",
        f'    "{"A" * 54}=="',
        "  }",
        "  view v: int32[4] = pool + 16",
        "  let n: int32 = 4",
        "  var total: int32 = x[0]",
        "  for i in 0 .. n {",
        "    x[i] = total",
        "    total = n",
        "  }",
        "  parallel for wide: int64 in 0 .. n step 2 {",
        "  }",
        "  if true {",
        "    total = n",
        "  }",
        "  if false {",
        "  } else {",
        "    wait<int32>(n)",
        "  }",
        "  block {",
        "    total = 1",
        "  }",
        '  invoke g(x, y) {live_bytes=32, origin="CONV #1"}',
        "  device activate npu",
        "}",
    ]


def test_a_value_is_printed_before_its_name_is_declared():
    old, new = Var("a", DType.INT8), Var("a", I32)
    value = Imm(1, DType.INT8)
    assert lines(Let(old, value), Let(new, old), Let(Var("b", I32), new))[1:-1] == [
        "  let a: int8 = int8(1)",
        "  let a: int32 = a",
        "  let b: int32 = a",
    ]
