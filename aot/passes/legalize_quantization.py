"""LegalizeQuantization: quantized operators become integer operators with explicit constants."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy.typing as npt

from aot.ir.graph import Call, Constant, GraphFunction, Value
from aot.ir.module import IRModule
from aot.ir.types import Data, DType
from aot.ops.base import TfliteOp
from aot.passes.base import ModulePass


@dataclass(frozen=True)
class LegalizeQuantization(ModulePass):
    """Asks every operator for the integer calls that compute it exactly; afterwards no
    lowering looks at a scale."""

    name: ClassVar[str] = "LegalizeQuantization"

    def run(self, module: IRModule) -> IRModule:
        graph = module.graph
        pool = _ConstantPool(graph)
        calls: list[Call] = []
        for call in graph.calls:
            legal = isinstance(call.op, TfliteOp) and call.op.legalize(call, pool)
            calls += legal or (call,)
        return module.with_function(
            replace(graph, constants=(*graph.constants, *pool.added), calls=tuple(calls))
        )


@dataclass
class _ConstantPool:
    """The graph's constants and names, with what the rewrite adds (``ops.base.Constants``)."""

    graph: GraphFunction
    added: list[Constant] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.names.update(port.value.name for port in self.graph.params)
        self.names.update(c.value.name for c in self.graph.constants)
        self.names.update(v.name for call in self.graph.calls for v in call.outputs)

    def add(self, name: str, array: npt.ArrayLike, dtype: DType) -> Value:
        data = Data.of(array, dtype)
        value = Value(self._unique(name), data.type)
        self.added.append(Constant(value, data))
        return value

    def _unique(self, name: str) -> str:
        unique, number = name, 2
        while unique in self.names:
            unique, number = f"{name}.{number}", number + 1
        self.names.add(unique)
        return unique
