"""FuseActivations: lets the operator before an activation clamp its own result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from aot.ir.graph import Call
from aot.ir.module import IRModule
from aot.ops.base import TfliteOp
from aot.passes.base import ModulePass
from aot.passes.graph_uses import use_counts


@dataclass(frozen=True)
class FuseActivations(ModulePass):
    """Merges a RELU, RELU_N1_TO_1 or RELU6 into its producer.

    Only where nothing else reads the producer's result, and, for integers, where both results
    have the same quantization: rescaling by exactly one then changes no value.
    """

    name: ClassVar[str] = "FuseActivations"

    def run(self, module: IRModule) -> IRModule:
        graph = module.graph
        uses = use_counts(graph)
        producers: dict[str, int] = {}
        calls: list[Call] = []
        for call in graph.calls:
            source = producers.get(call.operands[0].name) if call.operands else None
            fused = None
            if source is not None and uses[call.operands[0].name] == 1:
                fused = _fuse(calls[source], call)
            if fused is not None and source is not None:
                calls[source] = fused
            else:
                source = len(calls)
                calls.append(call)
            if len(call.outputs) == 1:
                producers[call.outputs[0].name] = source
        return module.with_function(replace(graph, calls=tuple(calls)))


def _fuse(producer: Call, call: Call) -> Call | None:
    if not isinstance(producer.op, TfliteOp) or not isinstance(call.op, TfliteOp):
        return None
    activation = call.op.as_activation()
    if activation is None or producer.outputs[0].type != call.outputs[0].type:
        return None
    op = producer.op.with_activation(activation)
    if op is None:
        return None
    origin = f"{producer.origin} + {call.origin}"
    return replace(producer, op=op, outputs=call.outputs, origin=origin)
