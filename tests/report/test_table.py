"""The operator table as CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

from aot.report.schema import Measurement
from aot.report.table import operator_csv
from tests.report.reports import compiled, digits, hostile, report


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_one_row_per_operator():
    model = digits()
    found = rows(operator_csv(report(model, replace(model, name="again"))))
    assert [r["model"] for r in found] == ["tested"] * 10 + ["again"] * 10
    assert sum(int(r["macs"]) for r in found) == 2 * model.macs == 2 * 46592
    assert [r["index"] for r in found if r["peak"] == "1"] == ["2", "2"]
    assert found[0]["outputs"] == "int8 1x8x8x16"
    assert {r["ticks"] for r in found} == {""}


def test_ticks_where_they_were_measured():
    ticks = tuple(range(100, 110))
    model = replace(digits(), measured=Measurement(1, 1, 0, {}, ticks))
    assert [r["ticks"] for r in rows(operator_csv(report(model)))] == [str(t) for t in ticks]


def test_names_are_neither_formulas_nor_lines():
    found = rows(operator_csv(report(compiled(hostile())[1])))
    assert [r["result"] for r in found][3:] == ["'=1+1", "a?b??"]
    assert len(found) == 5
