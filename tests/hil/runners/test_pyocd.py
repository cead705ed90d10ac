"""pyOCD: exact command lines and verdicts."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from aot.boards.loader import load_board
from aot.hil.flash import flash
from aot.hil.runners.errors import FlashContradictedError, FlashFailedError, FlashUnprovenError
from aot.hil.runners.pyocd import argv
from tests.hil.runners.bench import Bench

DONE = (
    "0001234 I Erased 4096 bytes (1 sector), programmed 4096 bytes (4 pages), "
    "identical 0 bytes (0 pages) at 20.00 kB/s [loader]"
)


@pytest.fixture
def bench(tmp_path, monkeypatch):
    return Bench(tmp_path, monkeypatch, "nucleo_h743zi2", "pyocd", "pyocd", "0.46.0")


def test_argv():
    board = load_board("nucleo_h743zi2")
    head = ["pyocd", "load", "--no-wait", "--target", "stm32h743xx"]
    assert argv(board, Path("f.hex"), None) == [[*head, "--format", "hex", "f.hex"]]
    assert argv(board, Path("f.hex"), "0669FF") == [
        [*head, "-u", "0669FF", "--format", "hex", "f.hex"]
    ]


def test_success(bench):
    bench.says(DONE)
    assert bench.flash("0669FF") == "nucleo_h743zi2 programmed by pyocd through probe 0669FF"
    assert bench.arguments[-1] == str(bench.elf.with_suffix(".hex"))


@pytest.mark.parametrize(
    ("output", "status", "error", "message"),
    [
        ("0000301 E No target device available [load_cmd]", 1, FlashFailedError, "status 1"),
        (f"{DONE}\n0000301 E Transfer fault [main]", 0, FlashContradictedError, "Transfer fault"),
        ("0000312 I Loading f.hex [load_cmd]", 0, FlashUnprovenError, "did not tell"),
        ("0000312 C Target type x not recognized", 1, FlashFailedError, "pyocd pack install"),
    ],
)
def test_failures(bench, output, status, error, message):
    bench.says(output, status)
    with pytest.raises(error, match=message):
        bench.flash()


def test_the_real_one_without_a_probe(tmp_path):
    if shutil.which("pyocd") is None:
        pytest.skip("pyocd is not installed")
    elf = tmp_path / "f.elf"
    elf.with_suffix(".hex").write_text(":00000001FF\n")
    with pytest.raises(FlashFailedError, match="connect the board's probe by USB"):
        flash(load_board("nucleo_h743zi2"), elf, "0669FF", "pyocd")
