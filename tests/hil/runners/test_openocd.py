"""OpenOCD: exact command lines, verdicts, and what the real one makes of them."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from aot.boards.board import RunnerConfig, Runners
from aot.boards.loader import load_board
from aot.hil.flash import flash
from aot.hil.runners.errors import (
    FlashContradictedError,
    FlashFailedError,
    FlashUnprovenError,
    ImageError,
    ProgramTooOldError,
)
from aot.hil.runners.openocd import argv
from tests.hil.runners.bench import Bench

VERSION = "Open On-Chip Debugger 0.12.0"
SERVERS = ("-c", "gdb_port disabled; tcl_port disabled; telnet_port disabled")


@pytest.fixture
def bench(tmp_path, monkeypatch):
    return Bench(tmp_path, monkeypatch, "stm32f746", "openocd", "openocd", VERSION)


def test_argv():
    assert argv(load_board("stm32f746"), Path("out dir/firmware.elf"), None) == [
        [
            *("openocd", *SERVERS, "-f", "board/stm32f746g-disco.cfg"),
            *("-c", "program {out dir/firmware.elf} verify reset exit"),
        ]
    ]


def test_argv_with_a_probe():
    assert argv(load_board("stm32f746"), Path("f.elf"), "066BFF") == [
        [
            *("openocd", *SERVERS, "-f", "board/stm32f746g-disco.cfg"),
            *("-c", "adapter serial 066BFF", "-c", "program {f.elf} verify reset exit"),
        ]
    ]


@pytest.mark.parametrize("path", ["a}b.elf", "a{b.elf", "a\\b.elf"])
def test_a_path_that_cannot_be_quoted(path):
    with pytest.raises(ImageError, match="openocd takes no path with"):
        argv(load_board("stm32f746"), Path(path), None)


def test_success(bench):
    bench.says("** Programming Finished **\n** Verified OK **\nshutdown command invoked")
    assert bench.flash() == "stm32f746 programmed and verified by openocd"
    assert bench.arguments[-1] == f"program {{{bench.elf}}} verify reset exit"
    assert bench.log.startswith("openocd 0.12.0\n$ openocd -c 'gdb_port disabled;")
    assert "** Verified OK **" in bench.log


@pytest.mark.parametrize(
    ("output", "status", "error", "message"),
    [
        (
            "Error: open failed\n** OpenOCD init failed **\nshutdown command invoked",
            1,
            FlashFailedError,
            "openocd ended with status 1, its last words: Error: open failed | .*; "
            "connect the board's probe by USB",
        ),
        ("Error: LIBUSB_ERROR_ACCESS\n** OpenOCD init failed **", 1, FlashFailedError, "udev"),
        ("** Programming Finished **", 0, FlashUnprovenError, "did not tell of success"),
        (
            "** Programming Finished **\n** Verify Failed **",
            0,
            FlashContradictedError,
            r"printed `\*\* Verify Failed \*\*`.*program once more",
        ),
        ("** Verified OK **\nError: reset", 1, FlashFailedError, "status 1"),
    ],
)
def test_failures(bench, output, status, error, message):
    bench.says(output, status)
    with pytest.raises(error, match=message.replace(" | ", r" \| ")) as caught:
        bench.flash()
    assert str(caught.value).startswith("board stm32f746, runner openocd: ")
    assert str(bench.elf.parent / "flash.log") in str(caught.value)


def test_too_old(tmp_path, monkeypatch):
    line = "Open On-Chip Debugger 0.11.0"
    bench = Bench(tmp_path, monkeypatch, "stm32f746", "openocd", "openocd", line)
    bench.says("** Verified OK **")
    with pytest.raises(ProgramTooOldError, match=r"0\.11\.0 is older than 0\.12; install"):
        bench.flash()
    assert not (tmp_path / "arguments").exists()


# A JTAG chain that is not there, a target without memory and a flash that takes anything.
CHAIN = """
adapter driver dummy
transport select jtag
adapter speed 100
reset_config none
jtag newtap a cpu -irlen 4
target create a.cpu testee -chain-position a.cpu
flash bank f faux 0x01000000 0x10000 0 0 a.cpu
"""
HEX = ":020000040100F9\n:0400000001020304F2\n:00000001FF\n"


def real(folder: Path, more: str = ""):
    """A board for the real OpenOCD, and its firmware at a path that needs quoting."""
    if shutil.which("openocd") is None:
        pytest.skip("openocd is not installed")
    (folder / "chain.cfg").write_text(CHAIN + more)
    elf = folder / "a $b [c] d" / "firmware.elf"
    elf.parent.mkdir()
    elf.write_text(HEX)  # OpenOCD goes by the contents, and Intel hex is easily written.
    entry = RunnerConfig("openocd", ("-f", str(folder / "chain.cfg")))
    return replace(load_board("stm32f746"), runners=Runners("openocd", (entry,))), elf


def test_the_real_one_without_a_probe(tmp_path):
    board, elf = real(tmp_path)
    board = replace(board, runners=load_board("stm32f746").runners)
    with pytest.raises(FlashFailedError, match="connect the board's probe by USB"):
        flash(board, elf, "0669FF")
    assert "** OpenOCD init failed **" in (elf.parent / "flash.log").read_text()


def test_the_real_one_writes_but_cannot_verify(tmp_path):
    board, elf = real(tmp_path)
    with pytest.raises(FlashFailedError, match="program once more"):
        flash(board, elf)
    log = (elf.parent / "flash.log").read_text()
    assert "** Programming Finished **" in log and "** Verify Failed **" in log


def test_the_real_one_succeeds(tmp_path):
    # Only reading back is taken from it: its words and its end are its own.
    board, elf = real(tmp_path, "init\nproc verify_image {args} {}\n")
    assert "programmed and verified by openocd" in flash(board, elf)
