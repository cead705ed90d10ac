"""report.csv: the operators of every model as a table."""

from __future__ import annotations

import csv
import io

from aot.codegen.comments import printable
from aot.report.model_page import shapes
from aot.report.schema import Report

_HEADS = (
    *("model", "index", "operator", "lowered", "result", "kernel", "strategy", "reason"),
    *("inputs", "constants", "outputs", "macs", "weight_bytes", "live_bytes", "peak", "ticks"),
)
# What spreadsheets take for the start of a formula.
_FORMULA = ("=", "+", "-", "@")


def operator_csv(report: Report) -> str:
    """One line per operator, in execution order, under a line of heads; ticks are empty where
    not measured."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_HEADS)
    for model in report.models:
        ticks = model.measured.operator_ticks if model.measured is not None else None
        for i, o in enumerate(model.operators):
            words = (model.name, o.index, o.origin, o.operator, o.tensor, o.kernel, o.strategy)
            types = (shapes(o.inputs), shapes(o.constants), shapes(o.outputs))
            figures = (o.macs, o.weight_bytes, o.live_bytes, int(o.peak))
            row = (*words, o.reason, *types, *figures, "" if ticks is None else ticks[i])
            writer.writerow([_plain(v) if isinstance(v, str) else v for v in row])
    return out.getvalue()


def _plain(value: str) -> str:
    shown = printable(value)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown
