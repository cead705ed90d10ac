"""Executor metadata: everything that the generated interface says about a planned module."""

from __future__ import annotations

from dataclasses import dataclass

from aot.ir.module import IRModule
from aot.ir.pools import Pool, PoolKind
from aot.ir.tir import AllocateConst, CallingConvention, ParamRole, PoolView, PrimFunc
from aot.ir.types import TensorType
from aot.ir.visitor import walk


@dataclass(frozen=True)
class TensorInfo:
    """An interface tensor: C identifier, name in the model, type with quantization."""

    name: str
    tensor: str
    type: TensorType


@dataclass(frozen=True)
class PoolInfo:
    """A pool that main takes a pointer to: C identifier, the pool, bytes used of it."""

    name: str
    pool: Pool
    bytes: int


@dataclass(frozen=True)
class IoAllocation:
    """Where an interface tensor lives inside a pool: identifiers, bytes."""

    name: str
    role: ParamRole
    pool: str
    offset: int
    bytes: int


@dataclass(frozen=True)
class ExecutorMetadata:
    """The interface of a module, read from its main function and its plan alone.

    ``inputs`` and ``outputs`` are in the model's order, wherever the tensors live; ``pools`` in
    the order of main's parameters. Alignments are bytes: what a caller must give every pool.
    """

    module_name: str
    executor: str
    interface: str
    convention: CallingConvention
    inputs: tuple[TensorInfo, ...]
    outputs: tuple[TensorInfo, ...]
    workspace_pools: tuple[PoolInfo, ...]
    constant_pools: tuple[PoolInfo, ...]
    io_allocations: tuple[IoAllocation, ...]
    devices: tuple[str, ...]
    workspace_alignment: int
    constant_alignment: int


def executor_metadata(module: IRModule) -> ExecutorMetadata:
    """The interface of a LOWERED or PLANNED module; without a plan it has no pools."""
    main = module.main
    pools = _pool_infos(module)
    views = [s for s in main.body.body if isinstance(s, PoolView) and s.io is not None]
    allocations = tuple(
        IoAllocation(s.io.name, s.io.role, s.pool.name, s.offset, s.buffer.type.bytes)
        for s in views
        if s.io is not None
    )
    declared = [s for f in module.prim_funcs for s in walk(f.body)]
    return ExecutorMetadata(
        module_name=module.name,
        executor="aot",
        interface="c",
        convention=_convention(module),
        inputs=_tensors(main, views, ParamRole.INPUT),
        outputs=_tensors(main, views, ParamRole.OUTPUT),
        workspace_pools=tuple(p for p in pools if p.pool.kind is PoolKind.WORKSPACE),
        constant_pools=tuple(p for p in pools if p.pool.kind is PoolKind.CONSTANT),
        io_allocations=allocations,
        devices=tuple(p.name for p in main.params if p.role is ParamRole.DEVICE),
        workspace_alignment=max(
            (i.pool.alignment for i in pools if i.pool.kind is PoolKind.WORKSPACE), default=1
        ),
        constant_alignment=max(
            (s.alignment for s in declared if isinstance(s, AllocateConst)), default=1
        ),
    )


def _pool_infos(module: IRModule) -> tuple[PoolInfo, ...]:
    """Main's pool parameters; they follow the order of the module's pools."""
    main, plan = module.main, module.plan
    buffers = main.buffers(ParamRole.WORKSPACE_POOL, ParamRole.CONSTANT_POOL)
    if plan is None:
        return ()
    used = [p for p in module.pools if plan.bytes_used(p.name) and not p.read_only]
    return tuple(
        PoolInfo(b.name, pool, plan.bytes_used(pool.name))
        for b, pool in zip(buffers, used, strict=True)
    )


def _convention(module: IRModule) -> CallingConvention:
    """How main calls its kernels; unpacked where it calls none."""
    kernels = [f for f in module.prim_funcs if f.name != module.entry]
    return kernels[0].convention if kernels else CallingConvention.UNPACKED


def _tensors(main: PrimFunc, views: list[PoolView], role: ParamRole) -> tuple[TensorInfo, ...]:
    """Interface tensors of one role, whether parameters or inside the pools."""
    params = [TensorInfo(p.name, p.tensor, p.buffer.type) for p in main.params if p.role is role]
    inside = [
        TensorInfo(s.io.name, s.io.tensor, s.buffer.type)
        for s in views
        if s.io is not None and s.io.role is role
    ]
    return (*params, *inside)
