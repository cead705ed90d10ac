"""EliminateCopies: a call that only moves bytes becomes a shared value where that is safe."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from aot.ir.graph import Call, Value
from aot.ir.module import IRModule
from aot.ir.op import CallPrim
from aot.passes.base import ModulePass


@dataclass(frozen=True)
class EliminateCopies(ModulePass):
    """RESHAPE and its like disappear.

    Readers of the copy read the original. Where the copy is itself a result, the original is
    renamed to it; where both are results, or the original is a parameter or a constant, the
    copy stays. Functions that nothing calls any more are dropped.
    """

    name: ClassVar[str] = "EliminateCopies"

    def run(self, module: IRModule) -> IRModule:
        graph = module.graph
        copies = {f.name for f in module.prim_funcs if f.info is not None and f.info.copies}
        results = {port.value.name for port in graph.results}
        fixed = {port.value.name for port in graph.params} | results
        fixed.update(c.value.name for c in graph.constants)
        replaced: dict[str, Value] = {}

        def current(value: Value) -> Value:
            while value.name in replaced:
                value = replaced[value.name]
            return value

        kept: list[Call] = []
        for call in graph.calls:
            if isinstance(call.op, CallPrim) and call.op.function in copies:
                source, copy = current(call.operands[0]), call.outputs[0]
                if copy.name not in results:
                    replaced[copy.name] = source
                    continue
                if source.name not in fixed:
                    replaced[source.name] = copy
                    fixed.add(copy.name)
                    continue
            kept.append(call)
        calls = tuple(
            replace(
                call,
                inputs=tuple(current(v) for v in call.operands),
                outputs=tuple(current(v) for v in call.outputs),
            )
            for call in kept
        )
        used = {c.op.function for c in calls if isinstance(c.op, CallPrim)} | {module.entry}
        rewritten = module.with_function(replace(graph, calls=calls))
        return replace(rewritten, functions=tuple(f for f in rewritten.functions if f.name in used))
