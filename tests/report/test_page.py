"""The page: what it says where, and what it must not hold. A browser reads it in test_browser."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

from aot.report.page import report_page
from aot.report.schema import Measurement
from tests.report.reports import compiled, digits, hostile, report


class Elements(HTMLParser):
    """Which elements and attributes a page has."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes = set(), set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)


def row(page, *starts):
    """The cells of the first row that begins so, as text."""
    for line in page.splitlines():
        cells = re.findall(r"<td[^>]*>(.*?)</td>", line)
        if tuple(cells[: len(starts)]) == starts:
            return cells[len(starts) :]
    raise AssertionError(f"no row {starts}")


def test_without_a_test_nothing_is_measured():
    page = report_page(report(digits()))
    assert row(page, "tested", "stack, of the reserved") == ["2,048", "not measured"]
    assert row(page, "tested", "pool ram, high-water mark") == ["3,072", "not measured"]
    assert row(page, "tested", "one inference") == ["&ndash;", "not measured"]
    assert row(page, ".stack at 0x20000000") == ["2,048", "2,048"]
    assert row(page, "0", "CONV_2D #0")[4] == "not measured"


def test_predicted_against_measured():
    found = Measurement(216000, 216000000, 272, {"ram": 3070}, tuple(range(500, 510)))
    page = report_page(report(replace(digits(), measured=found)))
    assert row(page, "tested", "stack, of the reserved") == ["2,048", "272"]
    assert row(page, "tested", "pool ram, high-water mark") == ["3,072", "3,070"]
    assert row(page, "tested", "one inference") == ["&ndash;", "216,000 ticks, 1.000 ms"]
    assert row(page, "9", "SOFTMAX #10")[4] == "509"


def test_an_inference_that_the_counter_does_not_see():
    model = replace(digits(), measured=Measurement(0, 1000, 0, {}))
    page = report_page(report(model))
    assert row(page, "tested", "one inference")[1] == "less than a tick of 1,000 Hz"
    assert row(page, "tested", "stack, of the reserved")[1] == "not measured"


def test_more_than_nine_tenths_is_marked():
    page = report_page(report(digits()))
    assert row(page, "region sram")[3].endswith(" !")
    assert not row(page, "region rom")[3].endswith(" !")


def test_provenance():
    model = digits()
    page = report_page(report(model))
    assert row(page, "build id") == ["0123456789abcdef"]
    assert row(page, "tested: SHA-256") == [model.sha256]
    assert "planner branch_and_bound" in row(page, "tested: options")[0]


def test_several_models_on_one_page():
    page = report_page(report(digits(), compiled(hostile(), name="second")[1]))
    assert re.findall(r'data-model="(\w+)"', page) == ["tested", "second"]


def test_no_markup_from_names_and_nothing_to_fetch():
    page = report_page(report(compiled(hostile())[1]))
    used = Elements()
    used.feed(page)
    assert not used.tags & {"script", "link", "img", "iframe", "object", "use", "a"}
    assert not {a for a in used.attributes if a.startswith("on")} | (
        used.attributes & {"src", "href", "xlink:href", "action"}
    )
    assert "url(" not in page and "@import" not in page


def test_no_models():
    assert "Provenance" in report_page(report())
