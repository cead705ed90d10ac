"""AOTLowerMain: the graph becomes a PrimFunc of allocations and calls in order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar

from aot.errors import MicroaotError
from aot.ir.expr import Buffer
from aot.ir.graph import GraphFunction, Value
from aot.ir.module import IRModule, Stage
from aot.ir.op import CallPrim
from aot.ir.tir import (
    Allocate,
    AllocateConst,
    CallingConvention,
    DeviceHook,
    HookKind,
    Invoke,
    Param,
    ParamRole,
    PrimFunc,
    Seq,
    Stmt,
)
from aot.ir.types import DType, TensorType
from aot.names import unique_identifiers
from aot.ops.support.copy import copy_function
from aot.passes.base import ModulePass


class NotLoweredError(MicroaotError):
    """An operator, such as control flow, that is no call of a PrimFunc."""


@dataclass(frozen=True)
class AOTLowerMain(ModulePass):
    """Parameters get roles and C identifiers, intermediates an Allocate each, constants an
    AllocateConst.

    A result that a call computes is written in place; one that is an input, a constant or listed
    before is copied. ``convention`` is how main calls the kernels. Devices of the target become
    parameters, with hooks around the run and around the calls that use them.
    """

    name: ClassVar[str] = "AOTLowerMain"
    convention: CallingConvention = CallingConvention.UNPACKED
    alignment: int = 4

    def run(self, module: IRModule) -> IRModule:
        return _Lowering(module, self.convention, self.alignment).module()


@dataclass
class _Lowering:
    source: IRModule
    convention: CallingConvention
    alignment: int
    buffers: dict[str, Buffer] = field(default_factory=dict)
    copies: list[PrimFunc] = field(default_factory=list)

    def module(self) -> IRModule:
        graph, target = self.source.graph, self.source.target
        ports = unique_identifiers([p.name for p in (*graph.params, *graph.results)], "tensor")
        inputs = self._inputs(graph, ports)
        outputs, copied = self._outputs(graph, ports[len(graph.params) :])
        devices = tuple(
            Param(name, ParamRole.DEVICE, Buffer(name, TensorType((1,), DType.UINT8)))
            for name in unique_identifiers(target.devices, "device", ports)
        )
        self._name_locals(graph, [p.name for p in (*inputs, *outputs, *devices)])
        calls = tuple(self._calls(graph, copied))
        hooks = dict(zip(target.devices, (p.buffer for p in devices), strict=True))
        body = (
            *self._constants(graph, calls),
            *self._allocations(graph),
            *(DeviceHook(b, HookKind.ACTIVATE) for b in hooks.values()),
            *self._hooked(calls, hooks),
            *(DeviceHook(b, HookKind.DEACTIVATE) for b in hooks.values()),
        )
        main = PrimFunc(graph.name, (*inputs, *outputs, *devices), Seq(body), target)
        kernels = [replace(f, convention=self.convention) for f in self.source.prim_funcs]
        copies = [replace(f, convention=self.convention) for f in self.copies]
        return replace(self.source, functions=(*kernels, *copies, main), stage=Stage.LOWERED)

    def _inputs(self, graph: GraphFunction, names: tuple[str, ...]) -> tuple[Param, ...]:
        params = []
        for port, name in zip(graph.params, names, strict=False):
            buffer = Buffer(name, port.value.type)
            self.buffers[port.value.name] = buffer
            params.append(Param(name, ParamRole.INPUT, buffer, port.name))
        return tuple(params)

    def _outputs(
        self, graph: GraphFunction, names: tuple[str, ...]
    ) -> tuple[tuple[Param, ...], list[tuple[Value, Buffer]]]:
        """Output parameters, and the results that must be copied into theirs."""
        computed = {v.name for call in graph.calls for v in call.outputs}
        params, copied = [], []
        for port, name in zip(graph.results, names, strict=True):
            buffer = Buffer(name, port.value.type)
            params.append(Param(name, ParamRole.OUTPUT, buffer, port.name))
            if port.value.name in computed and port.value.name not in self.buffers:
                self.buffers[port.value.name] = buffer
            else:
                copied.append((port.value, buffer))
        return tuple(params), copied

    def _name_locals(self, graph: GraphFunction, taken: list[str]) -> None:
        """Buffers for everything that is neither input nor output, uniquely named."""
        values = [c.value for c in graph.constants]
        values += [v for call in graph.calls for v in call.outputs]
        values = [v for v in values if v.name not in self.buffers]
        names = unique_identifiers([v.name for v in values], "tensor", taken)
        for value, name in zip(values, names, strict=True):
            self.buffers[value.name] = Buffer(name, value.type)

    def _calls(self, graph: GraphFunction, copied: list[tuple[Value, Buffer]]) -> Iterator[Invoke]:
        for call in graph.calls:
            if not isinstance(call.op, CallPrim):
                raise NotLoweredError(
                    f"{call.op.name} is not a call of a PrimFunc",
                    where=call.origin or graph.name,
                    remedy="run LowerOperators first; control flow is not supported",
                )
            args = tuple(self.buffers[v.name] for v in (*call.operands, *call.outputs))
            yield Invoke(call.op.function, args, origin=call.origin)
        taken = {f.name for f in self.source.functions}
        for value, buffer in copied:
            (name,) = unique_identifiers([f"copy_{buffer.name}"], "copy", taken)
            taken.add(name)
            origin = f"output {buffer.name}"
            self.copies.append(copy_function(name, value.type, self.source.target, origin))
            yield Invoke(name, (self.buffers[value.name], buffer), origin=origin)

    def _constants(
        self, graph: GraphFunction, calls: tuple[Invoke, ...]
    ) -> Iterator[AllocateConst]:
        used = {b.name for call in calls for b in call.args}
        for constant in graph.constants:
            buffer = self.buffers[constant.value.name]
            if buffer.name in used:
                alignment = max(self.alignment, buffer.dtype.bytes)
                yield AllocateConst(buffer, constant.data, alignment)

    def _allocations(self, graph: GraphFunction) -> Iterator[Allocate]:
        outside = {p.value.name for p in (*graph.params, *graph.results)}
        for call in graph.calls:
            for value in call.outputs:
                if value.name not in outside:
                    buffer = self.buffers[value.name]
                    alignment = max(self.alignment, buffer.dtype.bytes)
                    yield Allocate(buffer, alignment, origin=call.origin)

    def _hooked(self, calls: tuple[Invoke, ...], hooks: dict[str, Buffer]) -> Iterator[Stmt]:
        functions = {f.name: f for f in self.source.prim_funcs}
        for call in calls:
            kernel = functions.get(call.function)
            used = [hooks[d] for d in kernel.target.devices if d in hooks] if kernel else []
            yield from (DeviceHook(b, HookKind.OPEN) for b in used)
            yield call
            yield from (DeviceHook(b, HookKind.CLOSE) for b in used)
