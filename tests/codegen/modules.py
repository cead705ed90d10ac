"""Planned modules written by hand: what the passes would make of small models."""

from __future__ import annotations

from dataclasses import replace

from aot.ir.builder import BodyBuilder
from aot.ir.expr import Buffer, Load, clamp
from aot.ir.intrinsics import IntrinsicSignature
from aot.ir.module import IRModule, PoolImage, Stage
from aot.ir.pools import Assignment, BufferKey, MemoryPlan, Pool, PoolKind, PoolUse
from aot.ir.target import Target
from aot.ir.tir import (
    AllocateConst,
    CallingConvention,
    DeviceHook,
    HookKind,
    Interface,
    Invoke,
    OperatorInfo,
    Param,
    ParamRole,
    PoolView,
    PrimFunc,
    Seq,
)
from aot.ir.types import Data, DType, Quantization, TensorType
from aot.ir.verifier import verify

SCALAR = Target("scalar")
RAM = Pool("ram", PoolKind.WORKSPACE, size_limit=1024, alignment=8, section=".bss.ram")
FLASH = Pool("flash", PoolKind.CONSTANT, read_only=True)
TIGHT = Pool("tight", PoolKind.CONSTANT, size_limit=64, alignment=4)

BIAS = [-100, -4, -3, -2, -1, 0, 1, 100]
GAINS = [0.5, -2.0, 1e-40, 3.0]
CURVE = [float("inf"), 1.0, -0.0, 0.25]


def buffer(name: str, dtype: DType, *shape: int) -> Buffer:
    return Buffer(name, TensorType(shape, dtype))


def checked(module: IRModule, intrinsics: tuple[IntrinsicSignature, ...] = ()) -> IRModule:
    """``module``, once the verifier has nothing to say."""
    verify(module, intrinsics)
    return module


def saturating_add(convention: CallingConvention, size: int = 8) -> PrimFunc:
    """output = clamp(a + b), int8."""
    a, b, output = (buffer(n, DType.INT8, size) for n in ("a", "b", "output"))
    k = BodyBuilder()
    with k.loop("i", 0, size) as i:
        total = Load(a, i).cast(DType.INT32) + Load(b, i).cast(DType.INT32)
        k.store(output, i, clamp(total, -128, 127).cast(DType.INT8))
    return PrimFunc(
        "add_0",
        (
            Param("a", ParamRole.INPUT, a),
            Param("b", ParamRole.INPUT, b),
            Param("output", ParamRole.OUTPUT, output),
        ),
        k.body(),
        SCALAR,
        convention,
        OperatorInfo("add", "operator 0 `sum`", "loops", macs=0),
    )


def adder(
    convention: CallingConvention = CallingConvention.UNPACKED,
    name: str = "adder",
    ports: tuple[str, str, str] = ("left", "right", "sum"),
) -> IRModule:
    """sum = (left + right) + bias, saturating twice; one intermediate in ``ram``."""
    type_ = TensorType((1, 8), DType.INT8, Quantization((0.5,), (-3,)))
    left, right, total = (Buffer(p, type_) for p in ports)
    bias, between = buffer("bias", DType.INT8, 8), buffer("between", DType.INT8, 8)
    ram = buffer("ram", DType.UINT8, 24)
    body = (
        AllocateConst(bias, Data.of(BIAS, DType.INT8), 4, ("flash",)),
        PoolView(between, ram, 16),
        Invoke("add_0", (left, right, between), 8, "operator 0 `sum`"),
        Invoke("add_0", (between, bias, total), 8, "operator 1 `sum;bias`"),
    )
    main = PrimFunc(
        "main",
        (
            Param(left.name, ParamRole.INPUT, left, "serving/left:0"),
            Param(right.name, ParamRole.INPUT, right, "right */ #error"),
            Param(total.name, ParamRole.OUTPUT, total, "sum"),
            Param("ram", ParamRole.WORKSPACE_POOL, ram),
        ),
        Seq(body),
        SCALAR,
    )
    plan = MemoryPlan(
        "by_hand",
        (
            Assignment(BufferKey("main", "between"), "ram", 16, 8),
            Assignment(BufferKey("main", "bias"), "flash", 0, 8),
        ),
        (PoolUse("flash", 8), PoolUse("ram", 24)),
    )
    functions = (saturating_add(convention), main)
    return checked(IRModule(name, functions, "main", SCALAR, Stage.PLANNED, (RAM, FLASH), plan))


def pooled_adder(name: str = "pooled") -> IRModule:
    """The adder with its interface tensors inside ``ram``; nothing is left to pass but pools."""
    module = adder(name=name)
    main = module.main
    ram = buffer("ram", DType.UINT8, 48)
    offsets = {"left": 0, "right": 8, "sum": 32}
    views = tuple(
        PoolView(p.buffer, ram, offsets[p.name], Interface(p.role, p.name, p.tensor))
        for p in main.params
        if p.name in offsets
    )
    rest = tuple(replace(s, pool=ram) if isinstance(s, PoolView) else s for s in main.body.body)
    assert module.plan is not None
    main = replace(
        main,
        params=(Param("ram", ParamRole.WORKSPACE_POOL, ram),),
        body=Seq((*views, *rest)),
    )
    used = (PoolUse("flash", 8), PoolUse("ram", 48))
    places = [Assignment(BufferKey("main", n), "ram", o, 8) for n, o in offsets.items()]
    plan = replace(module.plan, assignments=(*module.plan.assignments, *places), used=used)
    return checked(replace(module.with_function(main), plan=plan))


def scaler(convention: CallingConvention = CallingConvention.UNPACKED) -> IRModule:
    """scaled = signal * gains * curve through a scratch buffer of the kernel, float32.

    ``gains`` lie in a writable pool that init fills; ``curve`` is the kernel's own constant, and
    called like main's so that both want one global name. ``unused`` is never read.
    """
    signal, scaled = buffer("signal", DType.FLOAT32, 4), buffer("scaled", DType.FLOAT32, 4)
    gains, unused = buffer("gains", DType.FLOAT32, 4), buffer("unused", DType.INT32, 2)
    ram, tight = buffer("ram", DType.UINT8, 32), buffer("tight", DType.UINT8, 24)
    x, g, y = (buffer(n, DType.FLOAT32, 4) for n in ("input", "gain", "output"))
    ignored = buffer("ignored", DType.INT32, 2)
    scratch, curve = buffer("scratch", DType.FLOAT32, 4), buffer("curve", DType.FLOAT32, 4)
    k = BodyBuilder()
    k.emit(AllocateConst(curve, Data.of(CURVE, DType.FLOAT32), 4, ("flash",)))
    k.emit(PoolView(scratch, ram, 16))
    with k.loop("i", 0, 4) as i:
        k.store(scratch, i, Load(x, i) * Load(g, i))
    with k.loop("j", 0, 4) as j:
        k.store(y, j, Load(scratch, j) * Load(curve, j))
    kernel = PrimFunc(
        "scale_0",
        (
            Param("input", ParamRole.INPUT, x),
            Param("ignored", ParamRole.INPUT, ignored),
            Param("gain", ParamRole.CONSTANT, g),
            Param("output", ParamRole.OUTPUT, y),
            Param("ram", ParamRole.WORKSPACE_POOL, ram),
        ),
        k.body(),
        SCALAR,
        convention,
        OperatorInfo("scale", "operator 0 `scaled`", "loops", macs=8),
    )
    clash = buffer("scale_0_curve", DType.INT32, 1)
    main = PrimFunc(
        "main",
        (
            Param("signal", ParamRole.INPUT, signal, "signal"),
            Param("unused", ParamRole.INPUT, unused, "unused"),
            Param("scaled", ParamRole.OUTPUT, scaled, "scaled"),
            Param("ram", ParamRole.WORKSPACE_POOL, ram),
            Param("tight", ParamRole.CONSTANT_POOL, tight),
        ),
        Seq(
            (
                AllocateConst(clash, Data.of([-(1 << 31)], DType.INT32), 4, ("flash",)),
                PoolView(gains, tight, 8),
                Invoke("scale_0", (signal, unused, gains, scaled, ram), 16, "operator 0 `scaled`"),
            )
        ),
        SCALAR,
    )
    key = BufferKey("main", "gains")
    plan = MemoryPlan(
        "by_hand",
        (
            Assignment(BufferKey("main", "scale_0_curve"), "flash", 16, 4),
            Assignment(key, "tight", 8, 16),
            Assignment(BufferKey("scale_0", "curve"), "flash", 0, 16),
            Assignment(BufferKey("scale_0", "scratch"), "ram", 16, 16),
        ),
        (PoolUse("flash", 20), PoolUse("ram", 32), PoolUse("tight", 24)),
    )
    images = (PoolImage(key, "tight", 8, Data.of(GAINS, DType.FLOAT32)),)
    pools = (RAM, FLASH, TIGHT)
    return checked(
        IRModule("scaler", (kernel, main), "main", SCALAR, Stage.PLANNED, pools, plan, images)
    )


def hooked() -> IRModule:
    """The adder with a device around its first call."""
    module = adder(name="hooked")
    main = module.main
    device = buffer("npu", DType.UINT8, 1)
    bias, view, first, second = main.body.body
    body = (
        bias,
        view,
        DeviceHook(device, HookKind.ACTIVATE),
        DeviceHook(device, HookKind.OPEN),
        first,
        DeviceHook(device, HookKind.CLOSE),
        second,
        DeviceHook(device, HookKind.DEACTIVATE),
    )
    params = (*main.params, Param("npu", ParamRole.DEVICE, device))
    return checked(module.with_function(replace(main, params=params, body=Seq(body))))


def single_kernel(
    kernel: PrimFunc, name: str = "m", intrinsics: tuple[IntrinsicSignature, ...] = ()
) -> IRModule:
    """A module whose main passes its parameters on to ``kernel``."""
    main = PrimFunc(
        "main",
        tuple(replace(p, tensor=p.name) for p in kernel.params),
        Seq((Invoke(kernel.name, tuple(p.buffer for p in kernel.params), 0),)),
        kernel.target,
    )
    plan = MemoryPlan("by_hand", (), ())
    return checked(
        IRModule(name, (kernel, main), "main", kernel.target, Stage.PLANNED, (), plan), intrinsics
    )
