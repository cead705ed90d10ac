"""Progress: in place on a terminal, one plain line elsewhere, nothing before an error."""

from __future__ import annotations

import io

import pytest

from aot.compiler import compile_model
from aot.errors import MicroaotError
from aot.progress import compile_shown
from tests.support.models import DIGITS
from tests.support.native import options


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_plain_line():
    stream = io.StringIO()
    model = compile_shown(DIGITS.read_bytes(), "digits.tflite", options(), stream)
    assert model == compile_model(DIGITS.read_bytes(), "digits.tflite", options())
    lines = stream.getvalue().splitlines()
    assert len(lines) == 1 and lines[0].startswith("compiled digits.tflite in ")


@pytest.mark.parametrize("io_in_pools", [False, True])
def test_terminal_sees_every_stage_before_it_is_done(io_in_pools):
    stream, seen = Terminal(), []

    def observe(name, module):
        # What runs next is shown already, what is done was.
        shown = [part.split() for part in stream.getvalue().split("\r") if part.strip()]
        seen.append((name, shown[-2][1], len(shown)))

    chosen = options(io_in_pools=io_in_pools)
    compile_shown(DIGITS.read_bytes(), "digits.tflite", chosen, stream, observe)
    assert [(name, n) for name, _, n in seen] == [(s, i + 2) for i, (_, s, _) in enumerate(seen)]
    assert "\n" not in stream.getvalue()
    total = len(seen) + 1
    assert f"[1/{total}] read digits.tflite" in stream.getvalue()
    assert f"[{total}/{total}] generate digits.tflite" in stream.getvalue()
    assert stream.getvalue().endswith(f"\r{'':<79}\r")


def test_error_leaves_no_line():
    for stream in (io.StringIO(), Terminal()):
        with pytest.raises(MicroaotError):
            compile_shown(DIGITS.read_bytes()[:3000], "bad\x1b.tflite", options(), stream)
        assert stream.getvalue().split("\r")[-1] == ""
        assert "\x1b" not in stream.getvalue()
