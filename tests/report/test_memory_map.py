"""The map draws each buffer where it lies while it lives."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

from aot.report.memory_map import intervals, memory_map
from aot.report.schema import Buffer
from tests.report.reports import compiled, digits, hostile


def drawn(model, pool):
    svg = ET.fromstring(memory_map(model, pool))
    return [r for r in svg.iter("rect") if r.get("class") != "frame"], svg


def test_rectangles_are_to_scale_and_do_not_overlap():
    model = digits(io_in_pools=True)
    pool = model.pools[0]
    rects, svg = drawn(model, pool)
    frame = next(r for r in svg.iter("rect") if r.get("class") == "frame")
    assert len(rects) == len([b for b in model.buffers if b.pool == "ram"])
    unit = float(frame.get("height")) / pool.bytes
    column = float(frame.get("width")) / model.steps
    bottom = float(frame.get("y")) + float(frame.get("height"))
    for r in rects:
        offset, size = int(r.get("data-offset")), int(r.get("data-bytes"))
        first, last = int(r.get("data-first")), int(r.get("data-last"))
        assert abs(float(r.get("height")) - size * unit) < 0.02
        assert abs(bottom - float(r.get("y")) - (offset + size) * unit) < 0.02
        assert abs(float(r.get("width")) - (last - first + 1) * column) < 1e-6
        assert abs(float(r.get("x")) - float(frame.get("x")) - first * column) < 1e-6


def test_a_buffer_that_dies_in_between_has_two_rectangles():
    model = digits()
    gaps = Buffer("kernel", "scratch", None, "ram", 0, 3072, ((0, 1), (4, 4)))
    rects, _ = drawn(replace(model, buffers=(gaps,)), model.pools[0])
    assert [(r.get("data-first"), r.get("data-last")) for r in rects] == [("0", "1"), ("4", "4")]
    assert rects[0].find("title").text == (
        "(kernel/scratch): 3,072 bytes at offset 0, live in steps 0 to 1"
    )


def test_hostile_names_leave_well_formed_xml():
    _, model = compiled(hostile())
    for pool in model.pools:
        rects, svg = drawn(model, pool)
        assert len(rects) == len([b for b in model.buffers if b.pool == pool.name]) > 0
        assert not list(svg.iter("script"))


def test_intervals():
    assert intervals([(0, 2), (4, 4)]) == "0 to 2, 4"
