"""Rules of statements, each broken once."""

from dataclasses import replace

import pytest

from aot.ir.expr import Address, Buffer, Compare, CompareOp, Intrinsic, Load, Var, imm
from aot.ir.tir import (
    Allocate,
    AllocateConst,
    Assign,
    DeviceHook,
    Evaluate,
    For,
    ForKind,
    HookKind,
    If,
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
from aot.ir.verify_errors import (
    ConstantDataError,
    DuplicateNameError,
    IntrinsicError,
    LoopError,
    MutabilityError,
    OperandTypeError,
    OutOfBoundsError,
    RoleError,
    StageError,
    UndefinedError,
)
from aot.ir.verify_tir import verify_prim_func

from . import modules

TYPE = TensorType((4,), DType.INT32)
BYTES = TensorType((32,), DType.UINT8)
IN, W, OUT, SPARE = (Buffer(n, TYPE) for n in ("in", "w", "out", "spare"))
RAM, ROM, NPU = (Buffer(n, BYTES) for n in ("ram", "rom", "npu"))
INDEX, N = Var("i", DType.INT32), Var("n", DType.INT32)
ZERO, FOUR, TRUE = imm(0), imm(4), imm(1, DType.BOOL)
POSITIVE = Compare(CompareOp.GT, N, ZERO)
CALLEE = PrimFunc(
    "copy",
    (
        Param("source", ParamRole.INPUT, Buffer("source", TensorType((2, 2), DType.INT32))),
        Param("result", ParamRole.OUTPUT, Buffer("result", TYPE)),
    ),
    Seq(()),
    modules.SCALAR,
)
DRIVER = PrimFunc(
    "drive",
    (
        Param("ram", ParamRole.WORKSPACE_POOL, RAM),
        Param("npu", ParamRole.DEVICE, NPU),
    ),
    Seq(()),
    modules.SCALAR,
)
PARAMS = (
    Param("in", ParamRole.INPUT, IN),
    Param("w", ParamRole.CONSTANT, W),
    Param("out", ParamRole.OUTPUT, OUT),
    Param("ram", ParamRole.WORKSPACE_POOL, RAM),
    Param("rom", ParamRole.CONSTANT_POOL, ROM),
    Param("npu", ParamRole.DEVICE, NPU),
)


def verify(*statements, params=PARAMS):
    verify_prim_func(
        PrimFunc("f", params, Seq(statements), modules.SCALAR),
        {f.name: f for f in (CALLEE, DRIVER)},
        {i.name: i for i in modules.INTRINSICS},
    )


def store(buffer, value=ZERO, index=ZERO):
    return Store(buffer, index, value)


def loop(*body, var=INDEX, start=ZERO, stop=FOUR, **fields):
    return For(var, start, stop, Seq(body), **fields)


def test_a_function_that_keeps_every_rule():
    part, fixed = Buffer("part", TYPE), Buffer("fixed", TYPE)
    verify(
        AllocateConst(fixed, Data.of([1, 2, 3, 4], DType.INT32)),
        PoolView(part, RAM, 16),
        PoolView(Buffer("table", TYPE), ROM, 0),
        Allocate(SPARE),
        Local(N, Load(IN, ZERO)),
        loop(
            Let(Var("a", DType.INT32), Load(fixed, INDEX)),
            Assign(N, Var("a", DType.INT32)),
            If(
                Compare(CompareOp.GT, N, ZERO), Seq((store(part, N),)), Seq((store(OUT, N, INDEX),))
            ),
            step=2,
        ),
        loop(var=Var("j", DType.INT32), kind=ForKind.PARALLEL),
        Evaluate(Intrinsic("fetch", (Address(SPARE, ZERO), N), DType.INT32)),
        DeviceHook(NPU, HookKind.OPEN),
        Invoke("copy", (IN, SPARE)),
        Invoke("copy", (Buffer("table", TYPE), part)),
        Invoke("drive", (RAM, NPU)),
    )


def test_a_view_into_constants_may_be_read():
    verify(PoolView(SPARE, ROM, 0), store(OUT, Load(SPARE, ZERO)))


@pytest.mark.parametrize(
    ("statements", "error", "message"),
    [
        ((store(SPARE),), UndefinedError, "buffer `spare` is not declared here"),
        ((Assign(N, ZERO),), UndefinedError, "variable `n` is not declared here"),
        ((store(OUT, N), Local(N, ZERO)), UndefinedError, "variable `n` is not declared here"),
        ((Let(N, N),), UndefinedError, "variable `n` is not declared here"),
        ((loop(), store(OUT, INDEX)), UndefinedError, "variable `i` is not declared here"),
        ((loop(stop=INDEX),), UndefinedError, "variable `i` is not declared here"),
        ((loop(Local(N, ZERO)), Assign(N, ZERO)), UndefinedError, "variable `n`"),
        (
            (If(TRUE, Seq((Allocate(SPARE),)), Seq((store(SPARE),))),),
            UndefinedError,
            "buffer `spare` is not declared here",
        ),
        ((Allocate(SPARE), Allocate(SPARE)), DuplicateNameError, "`spare` is declared twice"),
        ((Allocate(IN),), DuplicateNameError, "`in` is declared twice"),
        ((loop(loop()),), DuplicateNameError, "`i` is declared twice"),
        ((Local(N, ZERO), Allocate(Buffer("n", TYPE))), DuplicateNameError, "`n`"),
        ((Let(N, ZERO), Assign(N, ZERO)), MutabilityError, "assigns `n`, which is no Local"),
        ((loop(Assign(INDEX, ZERO)),), MutabilityError, "assigns `i`, which is no Local"),
        ((store(IN),), MutabilityError, "writes `in`, which is only to be read"),
        ((store(W),), MutabilityError, "writes `w`"),
        (
            (AllocateConst(SPARE, Data.of([0] * 4, DType.INT32)), store(SPARE)),
            MutabilityError,
            "writes `spare`",
        ),
        ((PoolView(SPARE, ROM, 0), store(SPARE)), MutabilityError, "writes `spare`"),
        ((Invoke("copy", (IN, W)),), MutabilityError, "lets `copy` write `w`"),
        ((Local(N, imm(0.0, DType.FLOAT32)),), OperandTypeError, "float32 where int32 belongs"),
        (
            (Local(N, ZERO), Assign(N, imm(0, DType.INT8))),
            OperandTypeError,
            "int8 where int32 belongs",
        ),
        (
            (Local(N, ZERO), Assign(Var("n", DType.INT8), imm(0, DType.INT8))),
            OperandTypeError,
            "variable `n` changes its type",
        ),
        ((store(OUT, imm(0, DType.INT8)),), OperandTypeError, "int8 where int32 belongs"),
        ((store(OUT, ZERO, TRUE),), OperandTypeError, "bool where int32 belongs"),
        ((If(ZERO, Seq(())),), OperandTypeError, "int32 where bool belongs"),
        (
            (loop(var=Var("i", DType.INT64)),),
            OperandTypeError,
            "loop over `i` counts in int64",
        ),
        ((loop(stop=imm(4, DType.INT8)),), OperandTypeError, "int8 where int32 belongs"),
        ((loop(step=0),), LoopError, "loop over `i` has step 0"),
        (
            (Local(N, ZERO), loop(stop=N, kind=ForKind.PARALLEL)),
            LoopError,
            "parallel loop over `i` needs bounds known to the compiler",
        ),
        ((store(OUT, ZERO, imm(4)),), OutOfBoundsError, "index 4 of `out`, which has 4"),
        ((PoolView(SPARE, RAM, 17),), OutOfBoundsError, "`spare` at 17 ends beyond `ram`"),
        ((PoolView(SPARE, RAM, -1),), OutOfBoundsError, "`spare` at -1 ends beyond `ram`"),
        (
            (AllocateConst(SPARE, Data.of([0] * 4, DType.INT8)),),
            ConstantDataError,
            "`spare` holds another type",
        ),
        (
            (AllocateConst(SPARE, Data((4,), DType.INT32, b"0")),),
            ConstantDataError,
            "`spare` has 1 bytes of 16",
        ),
        (
            (Evaluate(Intrinsic("lost", (), DType.INT32)),),
            IntrinsicError,
            "the target has no intrinsic `lost`",
        ),
        (
            (loop(PoolView(SPARE, RAM, 0), kind=ForKind.PARALLEL),),
            StageError,
            "`spare` is one view for all turns of a parallel loop",
        ),
        ((Seq(()),), StageError, "Seq inside a sequence"),
        ((PoolView(SPARE, OUT, 0),), RoleError, "`out` is no pool"),
        ((DeviceHook(RAM, HookKind.OPEN),), RoleError, "`ram` is no device"),
        ((Invoke("lost", ()),), UndefinedError, "there is no function `lost`"),
        ((Invoke("copy", (IN, SPARE)),), UndefinedError, "buffer `spare` is not declared here"),
        (
            (Invoke("copy", (IN,)),),
            OperandTypeError,
            "passes 1 buffers to `copy`, which takes 2",
        ),
        (
            (Invoke("copy", (IN, RAM)),),
            OperandTypeError,
            "passes `ram` as `result` of `copy`, another type",
        ),
        (
            (Invoke("drive", (NPU, NPU)),),
            RoleError,
            "passes `npu` as `ram` of `drive`, a workspace_pool",
        ),
        (
            (Invoke("drive", (RAM, RAM)),),
            RoleError,
            "passes `ram` as `npu` of `drive`, a device",
        ),
    ],
)
def test_a_broken_rule(statements, error, message):
    with pytest.raises(error) as caught:
        verify(*statements)
    assert message in str(caught.value)
    assert caught.value.where == "function f"


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (Param("in", ParamRole.INPUT, SPARE), "two parameters `in`"),
        (Param("other", ParamRole.INPUT, IN), "`in` is declared twice"),
    ],
)
def test_parameters_are_unique(second, message):
    with pytest.raises(DuplicateNameError, match=message):
        verify(params=(PARAMS[0], second))


def test_the_element_count_of_an_argument_decides_not_its_shape():
    verify(Invoke("copy", (IN, OUT)))
    short = replace(PARAMS[2], buffer=Buffer("out", TensorType((3,), DType.INT32)))
    with pytest.raises(OperandTypeError, match="another type"):
        verify(Invoke("copy", (IN, short.buffer)), params=(PARAMS[0], short))
