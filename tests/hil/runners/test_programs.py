"""Programs: missing, too old, and without a version."""

from __future__ import annotations

import logging
import re

import pytest

from aot.boards.loader import load_board
from aot.hil.errors import ProgramMissingError
from aot.hil.runners.base import Program
from aot.hil.runners.errors import ProgramTooOldError
from aot.hil.runners.programs import check_program
from aot.hil.runners.registry import FLASHERS, STARTERS
from aot.hil.runners.tool import ToolRunner
from tests.hil.scripts import script

TOOL = Program("tool", (1, 10), ("--version",), r"tool ([0-9]+(?:\.[0-9]+)+)", "tool-deb", "t.org")


@pytest.fixture
def says(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return lambda text: script(tmp_path / "tool", f"echo '{text}' >&2")


@pytest.mark.parametrize("version", ["1.10", "1.10.3", "2.0", "10.0"])
def test_new_enough(says, version):
    says(f"This is tool {version} of today")
    assert check_program(TOOL, "board b") == version


@pytest.mark.parametrize("version", ["1.9", "1.9.99", "0.99"])
def test_too_old(says, version):
    says(f"tool {version}")
    with pytest.raises(ProgramTooOldError) as caught:
        check_program(TOOL, "board b")
    assert str(caught.value) == (
        f"board b: tool {version} is older than 1.10; "
        "install 1.10 or newer, on Debian the package tool-deb, from t.org"
    )


def test_missing(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ProgramMissingError, match=r"board b: tool is not installed; install 1\.10"):
        check_program(TOOL, "board b")


def test_no_version(says, caplog):
    says("tool of yesterday")
    with caplog.at_level(logging.WARNING):
        assert check_program(TOOL, "board b") == ""
    assert "does not tell its version" in caplog.text


# What the programs print, as their releases do.
BANNERS = {
    "openocd": ("Open On-Chip Debugger 0.12.0+dev-01234-g0123456 (2023-01-01)", "0.12.0"),
    "pyocd": ("0.46.0", "0.46.0"),
    "st-flash": ("v1.7.0", "1.7.0"),
    "JLinkExe": ("SEGGER J-Link Commander V8.12b (Compiled Jan 15 2025 13:47:46)", "8.12"),
    "STM32_Programmer_CLI": ("STM32CubeProgrammer version: 2.14.0 ", "2.14.0"),
    "dfu-util": ("dfu-util 0.11", "0.11"),
    "nrfutil": ("nrfutil 7.13.0 (e0eb2c4 2024-10-22)", "7.13.0"),
    "qemu-system-arm": ("QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7)", "7.2.22"),
}


def test_every_program_tells_its_version():
    programs = {r.program for r in FLASHERS if isinstance(r, ToolRunner)}
    programs |= {p for r in STARTERS for p in r.programs(load_board("mps2-an385"))}
    assert {p.name for p in programs} == set(BANNERS)
    for program in programs:
        text, version = BANNERS[program.name]
        assert re.search(program.version, text)[1] == version
