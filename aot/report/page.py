"""report.html: one page that needs no network, no script and no other file."""

from __future__ import annotations

from collections.abc import Iterator

from aot.report.markup import Cell, cell, framed, table, text
from aot.report.model_page import model_part
from aot.report.schema import Measurement, Report
from aot.report.style import STYLE

_NOT_MEASURED = "not measured"
_HIGH = 0.9


def report_page(report: Report) -> str:
    """The page; it shows what report.json holds."""
    title = text(f"{report.board}: memory and operators")
    parts = [
        f"<h1>{title}</h1>",
        '<section id="summary">',
        "<h2>Summary</h2>",
        _summary(report),
        "</section>",
        '<section id="measured">',
        "<h2>Predicted against measured</h2>",
        *_measured(report),
        "</section>",
        *(model_part(m) for m in report.models),
        '<section id="provenance">',
        "<h2>Provenance</h2>",
        _provenance(report),
        "</section>",
    ]
    body = "\n".join(parts)
    # The policy keeps every request from happening, whatever a name might smuggle in.
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n"
        "</html>\n"
    )


def _summary(report: Report) -> str:
    memory = report.memory
    heads = ("memory", "bytes", "limit", "share", "")
    rows = [_use("flash", memory.flash, None), _use("RAM, stack included", memory.ram, None)]
    if not memory.stack.bytes:
        rows[1] = _use("RAM, without stack", memory.ram, None)
    limits = {r.name: r.limit for r in memory.regions}
    rows += [_use(f"region {r.name}", r.bytes, r.limit) for r in memory.regions]
    if memory.stack.bytes:
        stack = memory.stack
        rows.append(_use(f"stack in {stack.region}", stack.bytes, limits[stack.region]))
    for pool in memory.pools:
        where = f" in {pool.region}" if pool.region else ""
        rows.append(_use(f"{pool.kind} pool {pool.name}{where}", pool.bytes, pool.limit))
    models = table(
        "Models",
        (
            *("model", "operators", "MACs", "weights", "code (estimate)", "workspace"),
            *("interface outside the pools", "live at the busiest operator"),
        ),
        (
            (
                *(m.name, len(m.operators), m.macs, m.weights, m.code_estimate, m.workspace),
                *(m.io_outside_pools, m.lower_bound),
            )
            for m in report.models
        ),
    )
    return f"{framed('Need against limit, bytes', heads, rows)}\n{models}"


def _use(name: str, need: int, limit: int | None) -> str:
    cells: list[Cell] = [name, need, limit]
    share, bar = None, ""
    if limit:
        share = f"{100 * need / limit:.1f} %"
        bar = f'<meter min="0" max="{limit}" high="{_HIGH * limit:.0f}" value="{need}"></meter>'
        bar += " !" if need > _HIGH * limit else ""
    line = "".join(cell(c) for c in (*cells, share))
    return f"<tr>{line}<td>{bar}</td></tr>"


def _measured(report: Report) -> Iterator[str]:
    rows: list[tuple[Cell, ...]] = []
    for model in report.models:
        found = model.measured
        # Where there is no stack of its own to paint, the firmware answers 0.
        stack = found.stack_bytes if found is not None and found.stack_bytes else _NOT_MEASURED
        reserved = report.memory.stack.bytes or None
        rows.append((model.name, "stack, of the reserved", reserved, stack))
        for pool in model.pools:
            if pool.kind == "workspace" and pool.bytes:
                high = None if found is None else found.pools.get(pool.name)
                mark = _NOT_MEASURED if high is None else high
                rows.append((model.name, f"pool {pool.name}, high-water mark", pool.bytes, mark))
        rows.append((model.name, "one inference", None, _time(found)))
    yield table("On the board", ("model", "figure", "predicted", "measured"), rows)
    heads = ("section", "predicted", "measured")
    yield table("In the linked image, bytes", heads, _sections(report))


def _time(found: Measurement | None) -> str:
    if found is None or not found.hz:
        return _NOT_MEASURED
    if not found.ticks:
        return f"less than a tick of {found.hz:,} Hz"
    return f"{found.ticks:,} ticks, {1000 * found.ticks / found.hz:,.3f} ms"


def _sections(report: Report) -> Iterator[tuple[Cell, ...]]:
    for section in report.memory.sections:
        yield f"{section.name} at {section.address:#x}", section.planned, section.bytes


def _provenance(report: Report) -> str:
    rows: list[tuple[Cell, ...]] = [
        ("board", report.board),
        ("build id", report.build_id),
        ("compiler", f"microaot {report.compiler}"),
        ("toolchain", report.toolchain),
    ]
    for model in report.models:
        rows += [
            (f"{model.name}: file", model.file),
            (f"{model.name}: SHA-256", model.sha256),
            (f"{model.name}: options", "; ".join(model.options)),
        ]
    return table("Where this build comes from", ("what", "value"), rows)
