"""FoldConstants: computes in the compiler what depends on constants alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from aot.ir.graph import Call, Constant
from aot.ir.module import IRModule
from aot.ir.types import Data
from aot.ops.base import TfliteOp
from aot.passes.base import ModulePass


@dataclass(frozen=True)
class FoldConstants(ModulePass):
    """Replaces each call whose operands are constants by its result, where the operator knows
    how to compute it."""

    name: ClassVar[str] = "FoldConstants"

    def run(self, module: IRModule) -> IRModule:
        graph = module.graph
        known = {c.value.name: c.data for c in graph.constants}
        constants: list[Constant] = list(graph.constants)
        calls: list[Call] = []
        for call in graph.calls:
            data = _fold(call, known)
            if data is None:
                calls.append(call)
                continue
            known[call.outputs[0].name] = data
            constants.append(Constant(call.outputs[0], data))
        return module.with_function(replace(graph, constants=tuple(constants), calls=tuple(calls)))


def _fold(call: Call, known: dict[str, Data]) -> Data | None:
    if not isinstance(call.op, TfliteOp):
        return None
    operands = tuple(known[v.name] for v in call.operands if v.name in known)
    return call.op.fold(call, operands) if len(operands) == len(call.operands) else None
