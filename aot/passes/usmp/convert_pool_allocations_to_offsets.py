"""usmp.ConvertPoolAllocationsToOffsets: allocations become views into pool parameters."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from aot.errors import MicroaotError
from aot.ir.expr import Buffer
from aot.ir.module import IRModule, PoolImage, Stage
from aot.ir.pools import BufferKey, MemoryPlan, Pool, PoolKind
from aot.ir.tir import (
    Allocate,
    AllocateConst,
    Invoke,
    Param,
    ParamRole,
    PoolView,
    PrimFunc,
    Stmt,
)
from aot.ir.types import DType, TensorType
from aot.ir.visitor import rewrite, walk
from aot.names import unique_identifiers
from aot.passes.base import ModulePass


class NoPlanError(MicroaotError):
    """An allocation that the plan has no place for."""


@dataclass(frozen=True)
class ConvertPoolAllocationsToOffsets(ModulePass):
    """Functions take the pools that they or their callees use as parameters, in the order of the
    module's pools.

    A constant in a read-only pool stays a constant array; one in a writable pool becomes a view,
    and its contents an image that the init function copies.
    """

    name: ClassVar[str] = "usmp.ConvertPoolAllocationsToOffsets"

    def run(self, module: IRModule) -> IRModule:
        if module.plan is None:
            raise NoPlanError(
                "the module has no memory plan",
                where=module.name,
                remedy="run usmp.PlanMemory first",
            )
        return _Conversion(module, module.plan).module()


@dataclass
class _Conversion:
    source: IRModule
    plan: MemoryPlan
    images: list[PoolImage] = field(default_factory=list)
    needs: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.pools = {p.name: p for p in self.source.pools}
        self.places = {a.key: a for a in self.plan.assignments}

    def module(self) -> IRModule:
        functions = {f.name: f for f in self.source.prim_funcs}
        taken = [p.name for f in functions.values() for p in f.params]
        taken += [
            s.buffer.name
            for f in functions.values()
            for s in walk(f.body)
            if isinstance(s, Allocate | AllocateConst)
        ]
        names = unique_identifiers([p.name for p in self.source.pools], "pool", taken)
        self.buffers = {
            p.name: Buffer(n, TensorType((self.plan.bytes_used(p.name),), DType.UINT8))
            for p, n in zip(self.source.pools, names, strict=True)
        }
        for function in functions.values():
            self._need(function, functions)
        converted = tuple(self._convert(f) for f in functions.values())
        return replace(
            self.source,
            functions=converted,
            stage=Stage.PLANNED,
            images=tuple(sorted(self.images, key=lambda i: (i.pool, i.offset, i.key))),
        )

    def _need(self, function: PrimFunc, functions: dict[str, PrimFunc]) -> tuple[str, ...]:
        """Pools that ``function`` needs a pointer to, in the module's order."""
        if function.name not in self.needs:
            used: set[str] = set()
            for s in walk(function.body):
                if isinstance(s, Allocate | AllocateConst):
                    used.add(self._place(function, s.buffer)[0].name)
                elif isinstance(s, Invoke):
                    used.update(self._need(functions[s.function], functions))
            self.needs[function.name] = tuple(
                p.name for p in self.source.pools if p.name in used and not p.read_only
            )
        return self.needs[function.name]

    def _place(self, function: PrimFunc, buffer: Buffer) -> tuple[Pool, int]:
        key = BufferKey(function.name, buffer.name)
        if key not in self.places:
            raise NoPlanError(
                f"buffer `{buffer.name}` has no place in the plan",
                where=f"function {function.name}",
                remedy=f"algorithm {self.plan.algorithm} must place every buffer",
            )
        return self.pools[self.places[key].pool], self.places[key].offset

    def _convert(self, function: PrimFunc) -> PrimFunc:
        def convert(s: Stmt) -> Stmt:
            if isinstance(s, Invoke):
                pools = tuple(self.buffers[n] for n in self.needs[s.function])
                return replace(s, args=(*s.args, *pools)) if pools else s
            if not isinstance(s, Allocate | AllocateConst):
                return s
            pool, offset = self._place(function, s.buffer)
            if isinstance(s, Allocate):
                return PoolView(s.buffer, self.buffers[pool.name], offset, s.io)
            if pool.read_only:
                return replace(s, candidates=(pool.name,))
            key = BufferKey(function.name, s.buffer.name)
            self.images.append(PoolImage(key, pool.name, offset, s.data))
            return PoolView(s.buffer, self.buffers[pool.name], offset)

        params = tuple(
            Param(self.buffers[n].name, _role(self.pools[n]), self.buffers[n])
            for n in self.needs[function.name]
        )
        body = rewrite(function.body, convert)
        return replace(function, params=(*function.params, *params), body=body)


def _role(pool: Pool) -> ParamRole:
    workspace = pool.kind is PoolKind.WORKSPACE
    return ParamRole.WORKSPACE_POOL if workspace else ParamRole.CONSTANT_POOL
