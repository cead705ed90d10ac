"""LowerOperators: each graph call becomes a call of a PrimFunc that the target's strategy chose."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from aot.errors import MicroaotError
from aot.ir.graph import Call
from aot.ir.module import IRModule
from aot.ir.op import CallPrim, Op
from aot.ir.target import Target
from aot.ir.tir import OperatorInfo, PrimFunc
from aot.ir.types import TensorType
from aot.ops.base import KernelOp
from aot.ops.kernel import KernelBuilder
from aot.ops.support.copy import copy_elements
from aot.passes.base import ModulePass
from aot.targets.base import Strategy


class NoStrategyError(MicroaotError):
    """A call that no strategy of the target can lower."""


_Shape = tuple[tuple[TensorType | None, ...], tuple[bool, ...], tuple[TensorType, ...]]


@dataclass(frozen=True)
class LowerOperators(ModulePass):
    """Calls that agree in operator, attributes and types share one function, since weights are
    parameters."""

    name: ClassVar[str] = "LowerOperators"
    strategies: tuple[Strategy, ...]

    def run(self, module: IRModule) -> IRModule:
        graph = module.graph
        lowered: dict[tuple[Op, _Shape], PrimFunc] = {}
        calls: list[Call] = []
        for call in graph.calls:
            constants = tuple(graph.constant(v) is not None for v in call.inputs)
            key = (call.op, _shape(call, constants))
            if key not in lowered:
                name = f"{call.op.name}_{len(lowered)}"
                lowered[key] = self._lower(call, name, constants, module.target)
            calls.append(replace(call, op=CallPrim(lowered[key].name), inputs=call.operands))
        main = replace(graph, calls=tuple(calls))
        kernels = tuple(lowered.values())
        return replace(module, functions=(*kernels, *module.with_function(main).functions))

    def _lower(
        self, call: Call, name: str, constants: tuple[bool, ...], target: Target
    ) -> PrimFunc:
        op = call.op
        strategy = next((s for s in self.strategies if s.applies(call)), None)
        if strategy is None or not isinstance(op, KernelOp):
            raise NoStrategyError(
                f"no kernel of target `{target.name}` takes {op.name}",
                where=call.origin,
                remedy="legalize the operator before LowerOperators",
            )
        k = KernelBuilder(call, op.operands, constants)
        copies = op.is_copy(call)
        if copies:
            copy_elements(k, k.input(0), k.output())
        else:
            strategy.lower(call, k)
        info = OperatorInfo(
            op.name,
            call.origin,
            "copy" if copies else strategy.name,
            op.macs(call),
            copies,
        )
        return k.function(name, target, info)


def _shape(call: Call, constants: tuple[bool, ...]) -> _Shape:
    """What a kernel depends on besides the operator."""
    inputs = tuple(None if v is None else v.type.plain() for v in call.inputs)
    return inputs, constants, tuple(v.type.plain() for v in call.outputs)
