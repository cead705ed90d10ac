"""STM32CubeProgrammer: exact command lines and verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest

from aot.boards.loader import load_board
from aot.hil.runners.errors import FlashContradictedError, FlashFailedError, FlashUnprovenError
from aot.hil.runners.stm32cubeprogrammer import argv
from tests.hil.runners.bench import Bench

DONE = "File download complete\nVerifying ...\nDownload verified successfully"


@pytest.fixture
def bench(tmp_path, monkeypatch):
    return Bench(
        *(tmp_path, monkeypatch, "nucleo_u575zi_q", "stm32cubeprogrammer", "STM32_Programmer_CLI"),
        "STM32CubeProgrammer version: 2.14.0",
    )


def test_argv():
    board = load_board("nucleo_u575zi_q")
    head = ["STM32_Programmer_CLI", "--connect", "port=SWD"]
    tail = ["--download", "f.hex", "--verify", "-rst"]
    assert argv(board, Path("f.hex"), None) == [[*head, *tail]]
    assert argv(board, Path("f.hex"), "066BFF") == [[*head, "sn=066BFF", *tail]]


def test_success(bench):
    bench.says(DONE)
    assert bench.flash() == "nucleo_u575zi_q programmed and verified by stm32cubeprogrammer"
    assert bench.arguments[2:4] == ["--download", str(bench.elf.with_suffix(".hex"))]


@pytest.mark.parametrize(
    ("output", "status", "error", "message"),
    [
        (
            "Error: No STM32 target found! If your product embeds Debug Authentication, ...",
            1,
            FlashFailedError,
            "status 1.*hold its reset",
        ),
        # As it was seen to end.
        (
            "Error: Failed to download data! If it's a Flash memory, it may be not erased or "
            f"protected\n{DONE}",
            0,
            FlashContradictedError,
            "printed `Error: Failed to download data",
        ),
        ("File download complete", 0, FlashUnprovenError, "did not tell"),
    ],
)
def test_failures(bench, output, status, error, message):
    bench.says(output, status)
    with pytest.raises(error, match=message):
        bench.flash()
