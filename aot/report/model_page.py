"""The part of the page that describes one model: interface, memory maps, operators."""

from __future__ import annotations

from collections.abc import Sequence

from aot.report.markup import Cell, table, text
from aot.report.memory_map import full_name, intervals, memory_map
from aot.report.schema import InterfaceTensor, Model, ModelPool, Operator, Shape

_MOST_NUMBERS = 8


def model_part(model: Model) -> str:
    """One section of the page."""
    lines = [
        f'<section class="model" data-model="{text(model.name)}">',
        f"<h2>Model {text(model.name)}</h2>",
        _interface(model),
        "<h3>Memory maps</h3>",
        *(_map(model, pool) for pool in model.pools if pool.bytes),
        "<h3>Operators</h3>",
        _operators(model),
        "</section>",
    ]
    return "\n".join(lines)


def _interface(model: Model) -> str:
    heads = ("", "C name", "tensor", "dtype", "shape", "scale", "zero point", "bytes", "place")
    rows = [
        *(("input", *_contract(t)) for t in model.inputs),
        *(("output", *_contract(t)) for t in model.outputs),
    ]
    return table("Inputs and outputs", heads, rows)


def _contract(t: InterfaceTensor) -> tuple[Cell, ...]:
    place = "the caller's" if t.pool is None else f"pool {t.pool} at offset {t.offset:,}"
    return (
        t.name,
        t.tensor,
        t.dtype,
        _dimensions(t.shape),
        _numbers([repr(s) for s in t.scales]),
        _numbers([str(z) for z in t.zero_points]),
        t.bytes,
        place,
    )


def _numbers(values: Sequence[str]) -> str | None:
    if len(values) > _MOST_NUMBERS:
        return f"{', '.join(values[:_MOST_NUMBERS])}, ... ({len(values)} in all)"
    return ", ".join(values) or None


def _map(model: Model, pool: ModelPool) -> str:
    limit = "no limit" if pool.limit is None else f"a limit of {pool.limit:,}"
    note = "; the linker places these, in an order of its own" if pool.read_only else ""
    buffers = [b for b in model.buffers if b.pool == pool.name]
    rows = (
        (full_name(b), b.tensor, b.offset, b.bytes, intervals(b.live))
        for b in sorted(buffers, key=lambda b: (b.live, b.offset))
    )
    listed = table(
        f"Buffers of pool {pool.name}", ("buffer", "tensor", "offset", "bytes", "live"), rows
    )
    caption = f"{pool.kind} pool {pool.name}: {pool.bytes:,} bytes of {limit}{note}"
    return (
        f"<figure><figcaption>{text(caption)}</figcaption>\n"
        f'<div class="wide">{memory_map(model, pool)}</div>\n'
        f"<details><summary>{len(buffers)} buffers</summary>\n{listed}</details></figure>"
    )


def _operators(model: Model) -> str:
    heads = (
        *("#", "operator", "MACs", "weight bytes", "live bytes", "", "ticks", "inputs"),
        *("constants", "outputs", "kernel", "strategy", "why", "result"),
    )
    ticks = model.measured.operator_ticks if model.measured is not None else None
    rows = (
        _row(o, "not measured" if ticks is None else ticks[i])
        for i, o in enumerate(model.operators)
    )
    return table("In execution order", heads, rows)


def _row(o: Operator, ticks: Cell) -> tuple[Cell, ...]:
    return (
        *(o.index, o.origin, o.macs, o.weight_bytes, o.live_bytes, "peak" if o.peak else ""),
        *(ticks, shapes(o.inputs), shapes(o.constants), shapes(o.outputs)),
        *(o.kernel, o.strategy, o.reason, o.tensor),
    )


def shapes(many: Sequence[Shape]) -> str:
    """Types and shapes as text."""
    return ", ".join(f"{s.dtype} {_dimensions(s.shape)}" for s in many)


def _dimensions(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape)) or "scalar"
