"""What changed, and whether it grew."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aot.report.compare import compare
from aot.report.schema import Measurement, Stack
from tests.report.reports import chain, compiled, digits, report


def changed(before, after, tolerance=0.0):
    return {
        (c.subject, c.figure): (c.before, c.after, c.grew)
        for c in compare(before, after, tolerance)
    }


def model(names, **changes):
    return replace(compiled(chain(names))[1], **changes)


def with_memory(made, **changes):
    return replace(made, memory=replace(made.memory, **changes))


def test_equal_reports_do_not_differ():
    assert compare(report(digits()), report(digits())) == ()


@pytest.mark.parametrize(
    ("before", "after", "tolerance", "grew"),
    [
        (100, 101, 0, True),
        (100, 101, 1, False),
        (100, 102, 1, True),
        (100, 99, 0, False),
        (0, 1, 1000, True),
        (1000, 1001, 0.1, False),
    ],
)
def test_tolerance(before, after, tolerance, grew):
    a, b = (with_memory(report(digits()), flash=n) for n in (before, after))
    assert changed(a, b, tolerance) == {("firmware", "flash bytes"): (before, after, grew)}


def test_regions_pools_and_stack():
    a = report(digits())
    regions = (replace(a.memory.regions[0], bytes=1), replace(a.memory.regions[1], name="new"))
    pools = (replace(a.memory.pools[0], bytes=5000), *a.memory.pools[1:])
    b = with_memory(a, ram=8999, regions=regions, pools=pools, stack=Stack("sram", 4096))
    assert changed(a, b) == {
        ("firmware", "RAM bytes"): (9000, 8999, False),
        ("region rom", "bytes"): (20000, 1, False),
        ("region sram", "bytes"): (9000, None, False),
        ("region new", "bytes"): (None, 9000, True),
        ("pool ram", "bytes"): (3072, 5000, True),
        ("stack", "reserved bytes"): (2048, 4096, True),
    }


def test_an_operator_put_in_between_is_found_there():
    def kinds(*names):
        made = model("abcd"[: len(names)])
        rows = zip(made.operators, names, strict=True)
        operators = tuple(replace(o, operator=n, origin=n) for o, n in rows)
        return replace(made, operators=operators)

    found = changed(
        report(kinds("conv", "add", "pool")), report(kinds("conv", "new", "add", "pool"))
    )
    operators = {s for s, _ in found if s.startswith("tested: ")}
    assert "tested: new" in operators
    assert found[("tested: new", "live bytes")][0] is None
    # The others are what they were, though their numbers moved.
    assert operators <= {"tested: new", "tested: add", "tested: pool"}


def test_an_operator_in_front_of_many_alike():
    one = model("a")
    conv = replace(one.operators[0], operator="conv", origin="conv", macs=100)
    new = replace(conv, operator="new", origin="new", macs=1)
    before, after = (conv,) * 300, (new, *(conv,) * 300)
    found = changed(*(report(replace(one, operators=o)) for o in (before, after)))
    assert {s for s, _ in found} == {"tested: new"}


def test_models_of_other_names_are_paired_in_order():
    a, b = digits(), replace(digits(), name="renamed")
    assert compare(report(a), report(b)) == ()
    found = changed(report(a), report(a, replace(a, name="second")))
    assert found[("model second", "MACs")] == (None, 46592, True)
    gone = changed(report(a, replace(a, name="second")), report(a))
    assert gone[("model second", "MACs")] == (46592, None, False)


def test_measured_figures_count_where_both_have_them():
    plain = digits()
    slow, fast = (replace(plain, measured=Measurement(t, 1, 200, {}, (t,) * 10)) for t in (20, 10))
    assert compare(report(plain), report(slow)) == ()
    found = changed(report(fast), report(slow))
    assert found[("model tested", "measured ticks")] == (10, 20, True)
    assert found[("tested: CONV_2D #0", "ticks")] == (10, 20, True)
    assert len(found) == 11
