"""Foreign text in comments and reports."""

from __future__ import annotations

import pytest

from aot.codegen.comments import comment, printable


def test_printable_keeps_letters_and_drops_controls():
    assert printable("données 数\n\x1b[0m\u202e\udc80") == "données 数??[0m??"


@pytest.mark.parametrize(
    "text",
    ["a */ b", "/* a", "/*/", "*//*", "ends with \\", "??/", "???/", "*?/", "?\n?/", "\\*"],
)
def test_comment_neither_ends_nor_nests_nor_continues(text: str):
    assert not any(bad in comment(text) for bad in ("*/", "/*", "\\", "??/", "\n"))
