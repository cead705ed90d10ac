"""Flashing: exact command line, verdicts, deadline."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aot.boards.loader import load_board
from aot.hil import flash as flashing
from aot.hil.flash import FlashError, flash, openocd_argv
from tests.hil.scripts import script


def test_openocd_argv():
    assert openocd_argv(load_board("stm32f746"), Path("out/firmware.elf")) == [
        *("openocd", "-f", "board/stm32f746g-disco.cfg"),
        *("-c", "program {out/firmware.elf} verify reset exit"),
    ]


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
    script(tmp_path / "openocd", body)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    if message is None:
        assert "programmed and verified" in flash(load_board("stm32f746"), Path("f.elf"))
    else:
        with pytest.raises(FlashError, match=message):
            flash(load_board("stm32f746"), Path("f.elf"))


def test_a_flasher_that_hangs(tmp_path, monkeypatch):
    script(tmp_path / "openocd", "exec sleep 60")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(flashing, "_SECONDS", 0.2)
    with pytest.raises(FlashError, match="did not end within"):
        flash(load_board("stm32f746"), Path("f.elf"))
