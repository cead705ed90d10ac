"""The example on every board that QEMU emulates, over its own UART, equals the reference."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from aot.boards.loader import board_names, load_board
from aot.commands.firmware import link
from aot.compiler import CompileOptions, compile_model
from aot.hil.testing import run_test
from tests.support.models import DIGITS

EMULATED = [name for name in board_names() if load_board(name).emulation is not None]


def test_which_boards_are_emulated() -> None:
    assert [
        *("hifive1_revb", "microbit", "mps2-an385", "mps2-an386", "mps2-an500", "mps2-an505"),
        *("mps3-an547", "netduinoplus2", "qemu-riscv32", "stm32vldiscovery"),
    ] == EMULATED


@pytest.mark.parametrize("name", EMULATED)
def test_the_example_equals_the_reference(name: str, tmp_path: Path) -> None:
    board = load_board(name)
    for program in (board.toolchain.compiler, "qemu-system-arm", "qemu-system-riscv32"):
        if shutil.which(program) is None:
            pytest.skip(f"needs {program}")
    model = compile_model(DIGITS.read_bytes(), "digits", CompileOptions("digits", board.ir_pools()))
    image, build_id = link(board, [model], tmp_path)
    outcome = run_test(
        board,
        image.elf,
        build_id,
        [tmp_path / "generated" / "digits.json"],
        [DIGITS.with_suffix(".npz")],
        tmp_path / "test.xml",
    )
    assert outcome.passed, outcome.text
    assert "360 of 360 runs equal the reference bit for bit" in outcome.text
    assert "repeated" not in outcome.text
