"""EliminateDead: drops calls and constants that no result depends on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from aot.ir.graph import Call
from aot.ir.module import IRModule
from aot.passes.base import ModulePass


@dataclass(frozen=True)
class EliminateDead(ModulePass):
    """Walks the calls backwards from the results and keeps what they need."""

    name: ClassVar[str] = "EliminateDead"

    def run(self, module: IRModule) -> IRModule:
        graph = module.graph
        needed = {port.value.name for port in graph.results}
        kept: list[Call] = []
        for call in reversed(graph.calls):
            if any(v.name in needed for v in call.outputs):
                kept.append(call)
                needed.update(v.name for v in call.operands)
        constants = tuple(c for c in graph.constants if c.value.name in needed)
        return module.with_function(
            replace(graph, constants=constants, calls=tuple(reversed(kept)))
        )
