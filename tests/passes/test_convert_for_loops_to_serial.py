"""ConvertForLoopsToSerial: parallel loops become serial, nothing else changes."""

from __future__ import annotations

from aot.ir.tir import For, ForKind
from aot.ir.visitor import walk
from aot.passes.aot_lower_main import AOTLowerMain
from aot.passes.convert_for_loops_to_serial import ConvertForLoopsToSerial
from tests.passes.modules import Graph, run


def test_parallel_loops_become_serial_and_others_stay():
    g = Graph()
    g.result(g.call("y", [g.input("x", 4)], 8, scratch=2, parallel=3))
    before = run(g.module(), AOTLowerMain())
    after = run(before, ConvertForLoopsToSerial())
    kinds = [s.kind for s in walk(after.function("make_y").body) if isinstance(s, For)]
    assert kinds == [ForKind.SERIAL]
    assert after.main is before.main
