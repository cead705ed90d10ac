"""nRF Util: exact command lines and verdicts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aot.boards.loader import load_board
from aot.hil.runners.errors import FlashContradictedError, FlashFailedError, FlashUnprovenError
from aot.hil.runners.nrfutil import argv
from tests.hil.runners.bench import Bench

OPTIONS = "chip_erase_mode=ERASE_RANGES_TOUCHED_BY_FIRMWARE,verify=VERIFY_READ"


@pytest.fixture
def bench(tmp_path, monkeypatch):
    line = "nrfutil 7.13.0 (abcdef 2024-01-01)"
    return Bench(tmp_path, monkeypatch, "nrf5340dk", "nrfutil", "nrfutil", line)


def message(kind, result, compact=True):
    data = {"task": {"description": "Programming"}, "result": result}
    separators = (",", ":") if compact else None
    return json.dumps({"type": kind, "data": data}, separators=separators)


def test_argv():
    board = load_board("nrf5340dk")
    program = ["nrfutil", "--json", "device", "program", "--firmware", "f.hex"]
    reset = ["nrfutil", "--json", "device", "reset"]
    core = ["--core", "Application"]
    assert argv(board, Path("f.hex"), None) == [
        [*program, "--options", OPTIONS, *core],
        [*reset, *core],
    ]
    assert argv(board, Path("f.hex"), "1050") == [
        [*program, "--options", OPTIONS, *core, "--serial-number", "1050"],
        [*reset, *core, "--serial-number", "1050"],
    ]


@pytest.mark.parametrize("compact", [True, False])
def test_success(bench, compact):
    bench.says(message("task_end", "success", compact))
    assert bench.flash() == "nrf5340dk programmed and verified by nrfutil"
    assert bench.arguments.count("device") == 2
    assert bench.log.count("$ nrfutil --json device") == 2


def test_the_reset_fails(bench):
    bench.does(
        f"case \"$*\" in *reset*) echo '{message('task_end', 'fail')}'; exit 1;; "
        f"*) echo '{message('task_end', 'success')}';; esac"
    )
    with pytest.raises(FlashFailedError, match="status 1"):
        bench.flash()


@pytest.mark.parametrize(
    ("output", "status", "error", "text"),
    [
        ("Error: Subcommand nrfutil-device not found", 1, FlashFailedError, "install device"),
        (
            message("task_end", "success") + "\n" + message("task_end", "fail"),
            0,
            FlashContradictedError,
            "fail",
        ),
        (message("task_begin", None), 0, FlashUnprovenError, "did not tell"),
    ],
)
def test_failures(bench, output, status, error, text):
    bench.says(output, status)
    with pytest.raises(error, match=text):
        bench.flash()
    assert bench.arguments.count("device") == 1
