"""Small modules of each stage that keep every rule, and an operator to make graphs of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import ClassVar

from aot.ir.builder import BodyBuilder
from aot.ir.expr import Buffer, Intrinsic, Load, imm
from aot.ir.graph import Call, Constant, GraphFunction, Port, Value
from aot.ir.intrinsics import IntrinsicSignature
from aot.ir.module import IRModule, PoolImage, Stage
from aot.ir.op import CallPrim, Op, TypeRuleError
from aot.ir.pools import Assignment, BufferKey, MemoryPlan, Pool, PoolKind, PoolUse
from aot.ir.target import Target
from aot.ir.tir import (
    Allocate,
    AllocateConst,
    Invoke,
    OperatorInfo,
    Param,
    ParamRole,
    PoolView,
    PrimFunc,
    Seq,
)
from aot.ir.types import Data, DType, Quantization, TensorType


class Mode(Enum):
    FAST = 1
    EXACT = 2


@dataclass(frozen=True)
class Blend(Op):
    """Adds up to three operands of one type; has an attribute of every kind."""

    name: ClassVar[str] = "blend"
    factor: float = 0.5
    mode: Mode = Mode.FAST
    axes: tuple[int, ...] = ()
    size: tuple[int, int] = (1, 1)
    label: str = ""
    keep: bool = False
    limit: int | None = None
    nested: tuple[tuple[float, ...], ...] = ()

    def infer(self, inputs: tuple[TensorType | None, ...]) -> tuple[TensorType, ...]:
        present = [t for t in inputs if t is not None]
        if any(t.plain() != present[0].plain() for t in present):
            raise TypeRuleError("operands of different types")
        return (present[0].plain(),)


@dataclass(frozen=True)
class Shapeless(Op):
    """An operator whose results do not follow from its operands, with an attribute to give."""

    name: ClassVar[str] = "shapeless"
    size: int

    def infer(self, inputs: tuple[TensorType | None, ...]) -> None:
        return None


OPS = MappingProxyType({op.name: op for op in (Blend, Shapeless, CallPrim)})

SCALAR = Target("scalar")

ROUND = IntrinsicSignature("round_half", (DType.INT32, DType.INT32), DType.INT32)
FETCH = IntrinsicSignature("fetch", (None, DType.INT32), DType.INT32)
INTRINSICS = (ROUND, FETCH)

QUANTIZED = Quantization((0.5,), (-3,))
PER_CHANNEL = Quantization((0.1, 0.2), (0, 1), 1)

X = TensorType((1, 4), DType.INT8, QUANTIZED)
FLAT = TensorType((4,), DType.INT8)


def graph() -> IRModule:
    """y = blend(x, w, none), per channel weights, names that are no identifiers."""
    x, w = Value("serving/x:0", X), Value("w", TensorType((1, 4), DType.INT8, PER_CHANNEL))
    y = Value("y", TensorType((1, 4), DType.INT8))
    main = GraphFunction(
        "main",
        (Port("image", x),),
        (Constant(w, Data.of([[1, 2, 3, -1]], DType.INT8)),),
        (Call(Blend(axes=(1,), mode=Mode.EXACT), (x, w, None), (y,), "BLEND #0"),),
        (Port("y", y),),
    )
    return IRModule("small", (main,), "main", SCALAR)


def kernel() -> PrimFunc:
    """output[i] = int8(round_half(input[i] + weights[i], 1)) where positive, else 0."""
    source, weights = Buffer("source", FLAT), Buffer("weights", FLAT)
    result = Buffer("result", FLAT)
    b = BodyBuilder()
    with b.loop("i", 0, 4) as i:
        total = b.local("total", 0)
        b.assign(total, Load(source, i).cast(DType.INT32) + Load(weights, i).cast(DType.INT32))
        rounded = b.let("rounded", Intrinsic("round_half", (total, imm(1)), DType.INT32))
        b.store(result, i, 0)
        with b.when(rounded > 0):
            b.store(result, i, rounded.cast(DType.INT8))
    return PrimFunc(
        "blend_0",
        (
            Param("source", ParamRole.INPUT, source),
            Param("weights", ParamRole.CONSTANT, weights),
            Param("result", ParamRole.OUTPUT, result),
        ),
        b.body(),
        SCALAR,
        info=OperatorInfo("blend", "BLEND #0", "loops", macs=4),
    )


POOLS = (
    Pool("ram", PoolKind.WORKSPACE, size_limit=64),
    Pool("flash", PoolKind.CONSTANT, read_only=True),
    Pool("tcm", PoolKind.CONSTANT, size_limit=32, targets=("scalar",), section=".tcm"),
)

IMAGE = Buffer("image", X)
MIDDLE = Buffer("middle", FLAT)
WEIGHTS = Buffer("w", FLAT)
MORE = Buffer("more", FLAT)
RESULT = Buffer("y", FLAT)
CONTENTS = Data.of([1, 2, 3, -1], DType.INT8)

_INTERFACE = (
    Param("image", ParamRole.INPUT, IMAGE, "serving/x:0"),
    Param("y", ParamRole.OUTPUT, RESULT, "y"),
)
_CALLS = (
    Invoke("blend_0", (IMAGE, WEIGHTS, MIDDLE), origin="BLEND #0"),
    Invoke("blend_0", (MIDDLE, MORE, RESULT), origin="BLEND #1"),
)


def called() -> IRModule:
    """Stage GRAPH with every operator lowered to a call."""
    x, w, y = Value("image", X), Value("w", FLAT), Value("y", FLAT)
    main = GraphFunction(
        "main",
        (Port("image", x),),
        (Constant(w, CONTENTS),),
        (Call(CallPrim("blend_0"), (x, w), (y,), "BLEND #0"),),
        (Port("y", y),),
    )
    return IRModule("small", (kernel(), main), "main", SCALAR)


def lowered() -> IRModule:
    """Two calls of one kernel by way of an allocation."""
    body = (
        AllocateConst(WEIGHTS, CONTENTS, candidates=("flash",)),
        AllocateConst(MORE, CONTENTS, candidates=("tcm", "flash")),
        Allocate(MIDDLE, candidates=("ram",), origin="BLEND #0"),
        *_CALLS,
    )
    main = PrimFunc("main", _INTERFACE, Seq(body), SCALAR)
    return IRModule("small", (kernel(), main), "main", SCALAR, Stage.LOWERED, POOLS)


def planned() -> IRModule:
    """``lowered`` with a place for everything: one constant in flash, one copied to tcm."""
    ram = Buffer("ram", TensorType((4,), DType.UINT8))
    tcm = Buffer("tcm", TensorType((8,), DType.UINT8))
    body = (
        AllocateConst(WEIGHTS, CONTENTS, candidates=("flash",)),
        PoolView(MORE, tcm, 4),
        PoolView(MIDDLE, ram, 0),
        *_CALLS,
    )
    params = (
        *_INTERFACE,
        Param("ram", ParamRole.WORKSPACE_POOL, ram),
        Param("tcm", ParamRole.CONSTANT_POOL, tcm),
    )
    middle, more = BufferKey("main", "middle"), BufferKey("main", "more")
    plan = MemoryPlan(
        "greedy_by_size",
        (
            Assignment(middle, "ram", 0, 4),
            Assignment(more, "tcm", 4, 4),
            Assignment(BufferKey("main", "w"), "flash", 0, 4),
        ),
        (PoolUse("ram", 4), PoolUse("flash", 4), PoolUse("tcm", 8)),
    )
    return IRModule(
        "small",
        (kernel(), PrimFunc("main", params, Seq(body), SCALAR)),
        "main",
        SCALAR,
        Stage.PLANNED,
        POOLS,
        plan,
        (PoolImage(more, "tcm", 4, CONTENTS),),
    )
