"""QEMU: exact command lines, and a start that fails."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from aot.boards.board import RunnerConfig, Runners
from aot.boards.loader import load_board
from aot.hil.errors import StartError
from aot.hil.runner import start
from aot.hil.runners.qemu import QemuRunner
from tests.hil.scripts import script


def test_qemu_argv():
    board = load_board("mps2-an386")
    assert QemuRunner().argv(board, Path("out/f.elf"), counting=False) == [
        *("qemu-system-arm", "-machine", "mps2-an386", "-cpu", "cortex-m4"),
        *("-display", "none", "-monitor", "none", "-serial", "pty", "-kernel", "out/f.elf"),
    ]


def test_qemu_argv_counts_and_takes_the_boards_own_arguments():
    board = load_board("netduinoplus2")
    runners = Runners("qemu", (RunnerConfig("qemu", ("-d", "unimp")),))
    board = replace(board, runners=runners)
    assert QemuRunner().argv(board, Path("f.elf"), counting=True) == [
        *("qemu-system-arm", "-machine", "netduinoplus2", "-cpu", "cortex-m4"),
        *("-display", "none", "-monitor", "none", "-serial", "pty", "-icount", "shift=0"),
        *("-kernel", "f.elf", "-d", "unimp"),
    ]


def test_program_that_ends_at_once(tmp_path, monkeypatch):
    script(
        tmp_path / "qemu-system-arm",
        '[ "$1" = --version ] && echo QEMU emulator version 7.2.0 || echo no such machine; exit 1',
    )
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with (
        pytest.raises(StartError, match="QEMU ended: no such machine"),
        start(load_board("mps2-an386"), Path("f.elf")),
    ):
        pass
