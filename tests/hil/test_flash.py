"""Flashing: which runner, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from aot.boards.loader import load_board
from aot.hil.errors import ProgramMissingError
from aot.hil.flash import flash
from aot.hil.runners.errors import RunnerError
from tests.hil.runners.bench import Bench


@pytest.fixture
def bench(tmp_path, monkeypatch):
    line = "Open On-Chip Debugger 0.12.0"
    return Bench(tmp_path, monkeypatch, "stm32f746", "openocd", "openocd", line)


@pytest.mark.parametrize("board", ["mps2-an386", "host"])
def test_flashing_a_started_board_does_nothing(board):
    assert "nothing to flash" in flash(load_board(board), Path("f.elf"))


def test_another_runner_than_the_default(tmp_path, monkeypatch):
    bench = Bench(tmp_path, monkeypatch, "stm32vldiscovery", "openocd", "openocd", "")
    bench.says("** Verified OK **")
    assert "nothing to flash" in flash(bench.board, bench.elf)
    assert bench.flash() == "stm32vldiscovery programmed and verified by openocd"


def test_a_runner_that_the_board_has_not(tmp_path):
    with pytest.raises(RunnerError, match="has no runner `uf2`"):
        flash(load_board("stm32f746"), tmp_path / "f.elf", runner="uf2")


def test_the_default_runner(bench):
    bench.says("** Verified OK **")
    assert flash(bench.board, bench.elf, "066BFF") == (
        "stm32f746 programmed and verified by openocd through probe 066BFF"
    )


def test_no_program(bench, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ProgramMissingError, match="runner openocd: openocd is not installed"):
        bench.flash()
