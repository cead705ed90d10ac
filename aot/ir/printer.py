"""The IR as text: total, deterministic, and read back by ``aot.ir.parser``."""

from __future__ import annotations

from collections.abc import Iterator

from aot.ir.graph import Call, GraphFunction, Port, Value
from aot.ir.module import IRModule, PoolImage
from aot.ir.pools import MemoryPlan
from aot.ir.print_tir import prim_func
from aot.ir.print_types import TypePrinter, contents
from aot.ir.syntax import attributes, name, quote, suffix


def print_module(module: IRModule) -> str:
    """``module`` as text, ending in a newline.

    Every field is printed, except those at their default and, in a function, the module's target.
    """
    types = TypePrinter()
    functions: list[str] = []
    for function in module.functions:
        functions.append("")
        if isinstance(function, GraphFunction):
            functions += _graph(function, types)
        else:
            functions += prim_func(function, types, module.target)
    definitions = list(types.definitions())
    lines = [
        f"module {name(module.name)}",
        f"entry {name(module.entry)}",
        f"stage {module.stage.value}",
        f"target {attributes(module.target)}",
        *(f"pool {name(p.name)} {attributes(p, without=('name',))}" for p in module.pools),
        *([] if module.plan is None else ["", *_plan(module.plan)]),
        *(["", *definitions] if definitions else []),
        *functions,
    ]
    for image in module.images:
        lines += ["", *_image(image)]
    return "\n".join([*lines, ""])


def _plan(plan: MemoryPlan) -> Iterator[str]:
    yield f"plan {name(plan.algorithm)} {{"
    for use in plan.used:
        yield f"  used {name(use.pool)}: {use.bytes} bytes"
    for a in plan.assignments:
        key = f"{name(a.key.function)}/{name(a.key.buffer)}"
        yield f"  {key}: {a.bytes} bytes at {name(a.pool)} + {a.offset}"
    yield "}"


def _image(image: PoolImage) -> Iterator[str]:
    key = f"{name(image.key.function)}/{name(image.key.buffer)}"
    first, *rest = contents(image.data, None, "")
    yield f"image {key} at {name(image.pool)} + {image.offset}: {first}"
    yield from rest


def _graph(graph: GraphFunction, types: TypePrinter) -> Iterator[str]:
    """A value's type stands where it is defined, and again where it is used with another."""
    defined: dict[str, Value] = {}

    def define(value: Value) -> str:
        defined[value.name] = value
        return types.typed(value.name, value.type)

    def use(value: Value | None) -> str:
        if value is None:
            return "none"
        known = defined.get(value.name)
        if known is not None and types.same(known.type, value.type):
            return name(value.name)
        return f"({types.typed(value.name, value.type)})"

    def call(c: Call) -> str:
        operands = ", ".join(map(use, c.inputs))
        results = ", ".join(map(define, c.outputs)) or "()"
        origin = f" from {quote(c.origin)}" if c.origin else ""
        return f"{results} = {name(c.op.name)}({operands}){suffix(c.op, defaults=True)}{origin}"

    yield f"graph {name(graph.name)} {{"
    for port in graph.params:
        yield f"  input {define(port.value)}{_as(port)}"
    for constant in graph.constants:
        first, *rest = contents(constant.data, constant.value.type, "  ")
        yield f"  constant {define(constant.value)} = {first}"
        yield from rest
    yield from (f"  {call(c)}" for c in graph.calls)
    yield from (f"  output {use(p.value)}{_as(p)}" for p in graph.results)
    yield "}"


def _as(port: Port) -> str:
    """The name outside, where it is another."""
    return "" if port.name == port.value.name else f" as {quote(port.name)}"
