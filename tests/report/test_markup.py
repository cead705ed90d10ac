"""Text from outside stays text."""

from __future__ import annotations

import pytest

from aot.report.markup import cell, table, text
from tests.report.reports import HOSTILE


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (HOSTILE, "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("\" ' &", "&quot; &#x27; &amp;"),
        ("a\nb\x00\udcff\u202e", "a?b???"),
        ("数据", "数据"),
    ],
)
def test_text(raw, shown):
    assert text(raw) == shown


def test_cells():
    assert cell(1234567) == '<td class="n">1,234,567</td>'
    assert cell(None) == "<td>&ndash;</td>"
    assert cell("<b>") == "<td>&lt;b&gt;</td>"


def test_table_escapes_caption_heads_and_cells():
    assert "<b>" not in table("<b>", ["<b>"], [["<b>", 1]])
