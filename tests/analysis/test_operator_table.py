"""The operator table: one row per call."""

from __future__ import annotations

from aot.analysis.operator_table import operator_table
from tests.analysis.planning import planned
from tests.passes.modules import Graph


def test_operator_table():
    g = Graph()
    mid = g.call("mid", [g.input("x", 5), g.constant("w", 3)], 8)
    g.result(g.call("y", [mid], 7))
    rows = operator_table(planned(g.module()))
    assert [(r.index, r.operator, r.origin, r.macs) for r in rows] == [
        (0, "MAKE_MID", "MID #0", 8),
        (1, "MAKE_Y", "Y #1", 7),
    ]
    assert [(r.shape, r.weight_bytes, r.live_bytes, r.is_peak) for r in rows] == [
        ((8,), 3, 8, True),
        ((7,), 0, 8, False),
    ]
