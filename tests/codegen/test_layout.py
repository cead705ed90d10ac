"""Wrapping of long C lines."""

from __future__ import annotations

from aot.codegen.layout import WIDTH, wrapped


def test_what_fits_stays_on_one_line():
    assert list(wrapped("  f(", ["a", "b"], ");")) == ["  f(a, b);"]
    exact = "x" * (WIDTH - len("f();"))
    assert list(wrapped("f(", [exact], ");")) == [f"f({exact});"]
    assert list(wrapped("f(", [], ");")) == ["f();"]


def test_long_lists_start_below():
    items = [f"argument_{i}" for i in range(20)]
    lines = list(wrapped("  call(", items, ");"))
    assert lines[0] == "  call("
    assert all(line.startswith("      argument_") and len(line) <= WIDTH for line in lines[1:])
    assert " ".join(line.strip() for line in lines) == f"call( {', '.join(items)});"


def test_hanging_lists_start_behind_the_head():
    items = [f"condition_{i}" for i in range(12)]
    lines = list(wrapped("  if (", items, ") {", " || ", hanging=True))
    assert lines[0].startswith("  if (condition_0 || ")
    assert all(line.startswith("      condition_") for line in lines[1:])
    assert lines[0].endswith(" ||") and lines[-1].endswith("condition_11) {")


def test_an_item_wider_than_a_line_gets_its_own():
    wide = "w" * 120
    assert list(wrapped("f(", ["a", wide], ");")) == ["f(", "    a,", f"    {wide});"]
