"""What the report says of one compiled model, before anything is linked or measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aot.analysis.executor_metadata import ExecutorMetadata, TensorInfo
from aot.analysis.liveness import Liveness, liveness
from aot.analysis.operator_table import OperatorRow
from aot.compiler import CompiledModel, CompileOptions
from aot.ir.expr import Buffer as IrBuffer
from aot.ir.graph import GraphFunction
from aot.ir.module import IRModule, Stage
from aot.ir.tir import AllocateConst, Invoke, ParamRole, PrimFunc
from aot.report.schema import Buffer, InterfaceTensor, Model, ModelPool, Operator, Shape


@dataclass
class GraphKeeper:
    """Keeps the last graph that a compilation makes, as an observer of it."""

    last: IRModule | None = None

    def observe(self, name: str, module: IRModule) -> None:
        """Called with the module after each pass."""
        if module.stage is Stage.GRAPH:
            self.last = module

    @property
    def graph(self) -> GraphFunction:
        """The graph, once the compilation is over."""
        assert self.last is not None, "a compilation starts with a graph"
        return self.last.graph


def model_section(
    compiled: CompiledModel, graph: GraphFunction, options: CompileOptions, file_name: str
) -> Model:
    """The section of ``compiled``; ``graph`` is the last one that its passes made.

    The graph alone knows which tensor of the model a buffer holds.
    """
    module, report = compiled.module, compiled.report
    memory = report.memory
    lives = liveness(module)
    names = _tensor_names(graph, lives)
    functions = {f.name: f for f in module.prim_funcs}
    return Model(
        name=module.name,
        file=file_name,
        sha256=compiled.model_hash,
        target=module.target.name,
        planner=report.algorithm,
        options=options.words(),
        inputs=tuple(_interface(compiled.metadata, compiled.metadata.inputs)),
        outputs=tuple(_interface(compiled.metadata, compiled.metadata.outputs)),
        pools=tuple(
            ModelPool(
                use.pool.name,
                use.pool.kind.value,
                use.pool.section,
                use.pool.read_only,
                use.bytes,
                use.pool.size_limit,
            )
            for use in memory.pools
        ),
        buffers=_buffers(module, lives, names),
        operators=tuple(
            _operator(functions[call.function], row, call, step, names, options)
            for row, (call, step) in zip(report.operators, lives.calls, strict=True)
        ),
        steps=lives.end + 1,
        macs=sum(row.macs for row in report.operators),
        weights=memory.weights,
        workspace=memory.workspace,
        workspace_with_io=report.workspace_with_io,
        io=memory.io,
        io_outside_pools=memory.io_outside,
        lower_bound=memory.lower_bound,
        code_estimate=report.code,
    )


def _tensor_names(graph: GraphFunction, lives: Liveness) -> dict[str, str]:
    """The model's names by main's buffers: main calls what the graph does, in its order, and
    then copies into outputs."""
    names: dict[str, str] = {}
    for call, (invoke, _) in zip(graph.calls, lives.calls, strict=False):
        for value, buffer in zip((*call.operands, *call.outputs), invoke.args, strict=False):
            names[buffer.name] = value.name
    return names


def _interface(
    metadata: ExecutorMetadata, tensors: tuple[TensorInfo, ...]
) -> Iterator[InterfaceTensor]:
    places = {a.name: a for a in metadata.io_allocations}
    pools = {p.name: p.pool.name for p in metadata.workspace_pools}
    for info in tensors:
        quantization, place = info.type.quantization, places.get(info.name)
        yield InterfaceTensor(
            info.name,
            info.tensor,
            info.type.dtype.value,
            info.type.shape,
            quantization.scales if quantization else (),
            quantization.zero_points if quantization else (),
            info.type.bytes,
            pools[place.pool] if place else None,
            place.offset if place else None,
        )


def _buffers(module: IRModule, lives: Liveness, names: dict[str, str]) -> tuple[Buffer, ...]:
    """Every planned buffer, by pool and offset."""
    assert module.plan is not None, "a compiled module has a plan"
    places = {a.key: a for a in module.plan.assignments}
    throughout = {image.key for image in module.images}
    found = []
    for life in lives.lifetimes:
        place, declaration = places[life.key], life.declaration
        tensor = None
        if life.key.function == module.entry:
            io = None if isinstance(declaration, AllocateConst) else declaration.io
            tensor = names.get(life.key.buffer) or (io.tensor if io else None)
        found.append(
            Buffer(
                life.key.function,
                life.key.buffer,
                tensor,
                place.pool,
                place.offset,
                place.bytes,
                ((0, lives.end),) if life.key in throughout else life.intervals,
            )
        )
    return tuple(sorted(found, key=lambda b: (b.pool, b.offset, b.function, b.name)))


def _operator(
    callee: PrimFunc,
    row: OperatorRow,
    call: Invoke,
    step: int,
    names: dict[str, str],
    options: CompileOptions,
) -> Operator:
    results = [
        a.name for a, p in zip(call.args, callee.params, strict=True) if p.role is ParamRole.OUTPUT
    ]
    return Operator(
        row.index,
        step,
        row.operator,
        row.origin,
        names.get(results[0], results[0]) if results else "",
        row.kernel,
        row.strategy,
        _reason(callee, options),
        _shapes(callee.buffers(ParamRole.INPUT)),
        _shapes(callee.buffers(ParamRole.CONSTANT)),
        _shapes(callee.buffers(ParamRole.OUTPUT)),
        row.macs,
        row.weight_bytes,
        row.live_bytes,
        row.is_peak,
    )


def _reason(callee: PrimFunc, options: CompileOptions) -> str:
    """Why the kernel was lowered that way: strategies are tried in order."""
    if callee.info is None:
        return ""
    if callee.info.copies:
        return "moves its operand's bytes, whatever the target"
    tried = [s.name for s in options.target.strategies]
    target, before = options.target.target.name, tried[: tried.index(callee.info.strategy)]
    if not before:
        return f"first strategy of target {target}"
    return f"first strategy of target {target} that applies, after {', '.join(before)}"


def _shapes(buffers: tuple[IrBuffer, ...]) -> tuple[Shape, ...]:
    return tuple(Shape(b.type.dtype.value, b.type.shape) for b in buffers)
