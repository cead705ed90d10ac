"""Runners: exact command lines, failures to start, nothing left running."""

from __future__ import annotations

import os
import stat
import time
from dataclasses import replace
from pathlib import Path

import pytest

from aot.boards.board import RunnerConfig, Runners
from aot.boards.loader import load_board
from aot.hil import flash as flashing
from aot.hil.errors import PortError, ProgramMissingError, StartError
from aot.hil.flash import FlashError, flash, openocd_argv
from aot.hil.process import running
from aot.hil.runner import NoRunnerError, start
from aot.hil.runner_native import NativeRunner
from aot.hil.runner_qemu import QemuRunner


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


def test_native_argv(tmp_path):
    assert NativeRunner().argv(tmp_path / "firmware") == [str(tmp_path / "firmware")]


def test_openocd_argv():
    assert openocd_argv(load_board("stm32f746"), Path("out/firmware.elf")) == [
        *("openocd", "-f", "board/stm32f746g-disco.cfg"),
        *("-c", "program {out/firmware.elf} verify reset exit"),
    ]


def test_no_runner():
    with (
        pytest.raises(NoRunnerError, match="runner `openocd` cannot run tests"),
        start(load_board("stm32f746"), Path("f.elf")),
    ):
        pass


def test_missing_program(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with (
        pytest.raises(ProgramMissingError, match="install it, on Debian the package qemu"),
        start(load_board("mps2-an386"), Path("f.elf")),
    ):
        pass


def test_program_that_ends_at_once(tmp_path, monkeypatch):
    _script(tmp_path / "qemu-system-arm", "echo no such machine; exit 1")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with (
        pytest.raises(StartError, match="no such machine"),
        start(load_board("mps2-an386"), Path("f.elf")),
    ):
        pass


def test_children_do_not_outlive_the_context(tmp_path):
    child = tmp_path / "child"
    script = _script(tmp_path / "parent", f"sleep 60 & echo $! > {child}; wait")
    with running([str(script)], os.open(os.devnull, os.O_RDONLY), os.open(os.devnull, os.O_WRONLY)):
        deadline = time.monotonic() + 10
        while not (child.exists() and child.read_text().strip()):
            assert time.monotonic() < deadline
            time.sleep(0.01)
    pid = int(child.read_text())
    deadline = time.monotonic() + 10
    while Path(f"/proc/{pid}").exists() and "State:\tZ" not in _status(pid):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _status(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return "State:\tZ"


def _script(path: Path, body: str) -> Path:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_flashing_an_emulated_board_does_nothing():
    assert "nothing to flash" in flash(load_board("mps2-an386"), Path("f.elf"))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("echo '** Verified OK **' >&2", None),
        ("echo 'Error: no device found' >&2; exit 1", "no device found"),
        ("echo 'Error: verify failed' >&2; exit 0", "verify failed"),
    ],
)
def test_flashing_with_openocd(tmp_path, monkeypatch, body, message):
    _script(tmp_path / "openocd", body)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    if message is None:
        assert "programmed and verified" in flash(load_board("stm32f746"), Path("f.elf"))
    else:
        with pytest.raises(FlashError, match=message):
            flash(load_board("stm32f746"), Path("f.elf"))


def test_a_flasher_that_hangs(tmp_path, monkeypatch):
    _script(tmp_path / "openocd", "exec sleep 60")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(flashing, "_SECONDS", 0.2)
    with pytest.raises(FlashError, match="did not end within"):
        flash(load_board("stm32f746"), Path("f.elf"))


def test_no_such_port():
    from aot.hil.console import open_console

    with pytest.raises(PortError, match="cannot be opened"):
        open_console("/dev/does-not-exist", 115200)
