"""dfu-util: exact command lines and verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest

from aot.boards.loader import load_board
from aot.hil.runners.dfu import argv
from aot.hil.runners.errors import FlashContradictedError, FlashFailedError, FlashUnprovenError
from tests.hil.runners.bench import Bench

WARNINGS = (
    "dfu-util: Warning: File too short for DFU suffix\n"
    "dfu-util: A valid DFU suffix will be required in a future dfu-util release"
)
DONE = "Download done.\nFile downloaded successfully"


@pytest.fixture
def bench(tmp_path, monkeypatch):
    return Bench(tmp_path, monkeypatch, "stm32f4discovery", "dfu", "dfu-util", "dfu-util 0.11")


def test_argv():
    board = load_board("stm32f4discovery")
    head = ["dfu-util", "-d", "0483:df11", "-a", "0"]
    tail = ["-s", "0x08000000:leave", "-D", "f.bin"]
    assert argv(board, Path("f.bin"), None) == [[*head, *tail]]
    assert argv(board, Path("f.bin"), "3366") == [[*head, "-S", "3366", *tail]]


@pytest.mark.parametrize(
    ("output", "status"),
    [
        (f"{WARNINGS}\n{DONE}\nSubmitting leave request...", 0),
        # A board that has left does not answer any more.
        (f"{DONE}\ndfu-util: Error during download get_status", 74),
    ],
)
def test_success(bench, output, status):
    bench.says(output, status)
    assert bench.flash() == "stm32f4discovery programmed by dfu"
    assert bench.arguments[-1] == str(bench.elf.with_suffix(".bin"))


@pytest.mark.parametrize(
    ("output", "status", "error", "message"),
    [
        (
            "dfu-util: No DFU capable USB device available",
            74,
            FlashFailedError,
            "status 74.*boot loader",
        ),
        ("dfu-util: Error during download get_status", 74, FlashFailedError, "status 74"),
        ("Download done.", 0, FlashUnprovenError, "did not tell"),
        ('Error during special command "ERASE_PAGE"', 74, FlashFailedError, "ERASE_PAGE"),
        (f"{DONE}\ndfu-util: Error sending completion", 0, FlashContradictedError, "completion"),
        ("dfu-util: Cannot open DFU device", 69, FlashFailedError, "udev"),
    ],
)
def test_failures(bench, output, status, error, message):
    bench.says(output, status)
    with pytest.raises(error, match=message):
        bench.flash()
