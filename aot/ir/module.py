"""IRModule: everything the compiler knows about one model at one stage."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from aot.ir.graph import GraphFunction
from aot.ir.pools import BufferKey, MemoryPlan, Pool
from aot.ir.target import Target
from aot.ir.tir import PrimFunc
from aot.ir.types import Data

Function = GraphFunction | PrimFunc


class Stage(Enum):
    """How far lowering has come.

    GRAPH: main is a graph (of operators, later of CallPrim). LOWERED: main is a PrimFunc with
    allocations. PLANNED: every allocation has its place in a pool.
    """

    GRAPH = "graph"
    LOWERED = "lowered"
    PLANNED = "planned"


@dataclass(frozen=True)
class PoolImage:
    """Contents that the init function copies into a writable constant pool."""

    key: BufferKey
    pool: str
    offset: int
    data: Data


@dataclass(frozen=True)
class IRModule:
    """One model: its functions, the entry among them, and what the passes have decided."""

    name: str
    functions: tuple[Function, ...]
    entry: str
    target: Target
    stage: Stage = Stage.GRAPH
    pools: tuple[Pool, ...] = ()
    plan: MemoryPlan | None = None
    images: tuple[PoolImage, ...] = ()

    def function(self, name: str) -> Function:
        """The function called ``name``; KeyError where there is none."""
        for f in self.functions:
            if f.name == name:
                return f
        raise KeyError(name)

    @property
    def graph(self) -> GraphFunction:
        """The entry of a module at stage GRAPH."""
        entry = self.function(self.entry)
        assert isinstance(entry, GraphFunction), "stage GRAPH has a graph as its entry"
        return entry

    @property
    def main(self) -> PrimFunc:
        """The entry of a module at stage LOWERED or PLANNED."""
        entry = self.function(self.entry)
        assert isinstance(entry, PrimFunc), "after AOTLowerMain the entry is a PrimFunc"
        return entry

    @property
    def prim_funcs(self) -> tuple[PrimFunc, ...]:
        return tuple(f for f in self.functions if isinstance(f, PrimFunc))

    def pool(self, name: str) -> Pool:
        """The pool called ``name``; KeyError where there is none."""
        for p in self.pools:
            if p.name == name:
                return p
        raise KeyError(name)

    def with_function(self, function: Function) -> IRModule:
        """This module with the function of the same name replaced."""
        return replace(
            self,
            functions=tuple(function if f.name == function.name else f for f in self.functions),
        )
