"""<model>_report.txt: memory and operators at a glance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aot.analysis.memory_summary import MemorySummary
from aot.analysis.operator_table import OperatorRow
from aot.codegen.comments import printable
from aot.codegen.files import GeneratedFile
from aot.codegen.provenance import Provenance
from aot.ir.pools import PoolKind


@dataclass(frozen=True)
class ModelReport:
    """What the report and the metadata say of a model.

    ``workspace_with_io`` is what the workspace pools take with the interface tensors in them,
    None where those do not fit; ``code`` is an estimate in bytes.
    """

    model: str
    algorithm: str
    memory: MemorySummary
    workspace_with_io: int | None
    operators: tuple[OperatorRow, ...]
    code: int


def report_file(report: ModelReport, provenance: Provenance) -> GeneratedFile:
    """The report as text."""
    return GeneratedFile(f"{report.model}_report.txt", "\n".join(_lines(report, provenance)) + "\n")


def _lines(report: ModelReport, provenance: Provenance) -> Iterator[str]:
    memory = report.memory
    yield f"{report.model}: {printable(provenance.model_file)}, SHA-256 {provenance.model_hash}"
    yield ""
    yield f"flash      weights {memory.weights:>10,} bytes"
    yield f"           code    {report.code:>10,} bytes (estimate)"
    yield ""
    yield from _pools(memory)
    yield ""
    inside = memory.io - memory.io_outside
    yield f"workspace  {memory.workspace:>10,} bytes in pools, planned by {report.algorithm}"
    yield f"interface  {memory.io:>10,} bytes, {inside:,} of them inside the pools"
    if report.workspace_with_io is not None:
        inside = report.workspace_with_io
        yield f"together   {inside:>10,} bytes of workspace when the pools hold the interface"
    bound = memory.lower_bound
    yield f"bound      {bound:>10,} bytes live at the busiest operator, interface included"
    yield ""
    yield from _operators(report.operators)


def _pools(memory: MemorySummary) -> Iterator[str]:
    yield f"{'pool':<16} {'kind':<10} {'used':>12} {'limit':>12} {'share':>7}"
    for use in memory.pools:
        limit = use.pool.size_limit
        share = "" if not limit else f"{100 * use.bytes / limit:.1f} %"
        kind = "workspace" if use.pool.kind is PoolKind.WORKSPACE else "constant"
        room = "-" if limit is None else f"{limit:,}"
        line = f"{use.pool.name:<16} {kind:<10} {use.bytes:>12,} {room:>12} {share:>7}"
        yield line.rstrip()


def _operators(rows: tuple[OperatorRow, ...]) -> Iterator[str]:
    names = [printable(r.origin) for r in rows]
    width = max((len(n) for n in names), default=8)
    head = f"{'operator':<{width}}  {'result':<16} {'MACs':>12} {'weights':>10} {'live bytes':>11}"
    yield f"  # {head}"
    for row, name in zip(rows, names, strict=True):
        shape = "x".join(map(str, row.shape)) or "scalar"
        mark = "  <- peak" if row.is_peak else ""
        yield (
            f"{row.index:>3} {name:<{width}}  {shape:<16} {row.macs:>12,} "
            f"{row.weight_bytes:>10,} {row.live_bytes:>11,}{mark}"
        )
    macs = sum(r.macs for r in rows)
    weights = sum(r.weight_bytes for r in rows)
    yield f"    {'total':<{width}}  {'':<16} {macs:>12,} {weights:>10,}"
