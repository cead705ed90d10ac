"""Choosing a runner, and what it misses."""

from __future__ import annotations

from pathlib import Path

import pytest

from aot.boards.loader import load_board
from aot.hil.errors import ProgramMissingError
from aot.hil.runner import start
from aot.hil.runners.errors import NoRunnerError


def test_no_runner():
    with (
        pytest.raises(NoRunnerError, match="runner `openocd` cannot run tests"),
        start(load_board("stm32f746"), Path("f.elf")),
    ):
        pass


def test_missing_program(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with (
        pytest.raises(
            ProgramMissingError,
            match=r"install 6\.2 or newer, on Debian the package qemu-system-arm",
        ),
        start(load_board("mps2-an386"), Path("f.elf")),
    ):
        pass
