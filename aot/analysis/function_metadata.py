"""Function metadata: memory that every PrimFunc of a module needs, per target."""

from __future__ import annotations

from dataclasses import dataclass

from aot.analysis.buffer_info import buffer_info
from aot.ir.module import IRModule, Stage
from aot.ir.pools import PoolKind
from aot.ir.tir import Allocate, AllocateConst, ParamRole, PoolView, PrimFunc
from aot.ir.visitor import walk


@dataclass(frozen=True)
class FunctionMetadata:
    """Bytes that one function needs of its own, on one target.

    ``workspace_bytes`` covers its allocations (the peak of what lives at once for main before
    planning, the pools used after), ``io_bytes`` its interface tensors, ``constant_bytes`` the
    constants it declares.
    """

    function: str
    target: str
    workspace_bytes: int
    io_bytes: int
    constant_bytes: int


def function_metadata(module: IRModule) -> tuple[FunctionMetadata, ...]:
    """One entry per PrimFunc of a LOWERED or PLANNED module, in the module's order.

    Main's workspace is what the pools hold after planning, and before it the most that is live
    at one point, its callees' allocations included; a kernel's is what it allocates itself.
    """
    return tuple(_metadata(module, f) for f in module.prim_funcs)


def _metadata(module: IRModule, function: PrimFunc) -> FunctionMetadata:
    statements = list(walk(function.body))
    roles = {p.buffer.name: p.role for p in function.params}
    workspace = io = constants = 0
    for s in statements:
        if isinstance(s, AllocateConst) or (
            isinstance(s, PoolView) and roles[s.pool.name] is ParamRole.CONSTANT_POOL
        ):
            constants += s.buffer.type.bytes
        elif isinstance(s, Allocate | PoolView):
            workspace += s.buffer.type.bytes
            io += s.buffer.type.bytes if s.io else 0
    if function.name == module.entry:
        workspace = _module_workspace(module)
    io += sum(b.type.bytes for b in function.buffers(ParamRole.INPUT, ParamRole.OUTPUT))
    return FunctionMetadata(function.name, function.target.name, workspace, io, constants)


def _module_workspace(module: IRModule) -> int:
    if module.stage is Stage.PLANNED and module.plan is not None:
        return sum(
            module.plan.bytes_used(p.name) for p in module.pools if p.kind is PoolKind.WORKSPACE
        )
    return buffer_info(module).pressure
