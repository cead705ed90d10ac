"""st-flash: exact command lines and verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest

from aot.boards.loader import load_board
from aot.hil.runners.errors import FlashContradictedError, FlashFailedError, FlashUnprovenError
from aot.hil.runners.stlink import argv
from tests.hil.runners.bench import Bench

DONE = "2026-01-01T00:00:00 INFO common.c: Flash written and verified! jolly good!"


@pytest.fixture
def bench(tmp_path, monkeypatch):
    return Bench(tmp_path, monkeypatch, "nucleo_f446re", "stlink", "st-flash", "v1.7.0")


def test_argv():
    board = load_board("nucleo_f446re")
    write = ["--reset", "--format", "ihex", "write", "f.hex"]
    assert argv(board, Path("f.hex"), None) == [["st-flash", *write]]
    assert argv(board, Path("f.hex"), "066BFF") == [["st-flash", "--serial", "066BFF", *write]]


def test_success(bench):
    bench.says(f"st-flash 1.7.0\n{DONE}")
    assert bench.flash() == "nucleo_f446re programmed and verified by stlink"
    assert bench.arguments[-1] == str(bench.elf.with_suffix(".hex"))


@pytest.mark.parametrize(
    ("output", "status", "error", "message"),
    [
        (
            "2026-01-01T00:00:00 WARN usb.c: Couldn't find any ST-Link devices",
            255,
            FlashFailedError,
            "status 255.*connect the board's ST-LINK",
        ),
        (
            "ERROR common.c: Verification of flash failed at offset: 0",
            0,
            FlashContradictedError,
            "flash",
        ),
        (
            f"ERROR flash_loader.c: Flash loader run error\n{DONE}",
            0,
            FlashContradictedError,
            "run error",
        ),
        ("WARN common.c: unknown chip id! 0x482", 255, FlashFailedError, r"known to 1\.8\.0"),
        ("24/24 pages written", 0, FlashUnprovenError, "did not tell"),
    ],
)
def test_failures(bench, output, status, error, message):
    bench.says(output, status)
    with pytest.raises(error, match=message):
        bench.flash()
