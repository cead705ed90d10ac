"""The firmware's sources are free of warnings on every board, and its headers are for C++ too."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from aot.boards.firmware import board_defines, firmware_sources
from aot.boards.loader import board_names, load_board
from aot.boards.toolchain import compile_argv
from aot.resources import data_dir


@pytest.mark.parametrize("name", board_names())
def test_no_warnings(name, tmp_path):
    board = load_board(name)
    if shutil.which(board.toolchain.compiler) is None:
        pytest.skip(f"needs {board.toolchain.compiler}")
    firmware = data_dir("firmware")
    for source in firmware_sources(board):
        argv = compile_argv(
            board,
            firmware / source,
            tmp_path / "o.o",
            [firmware / "include"],
            board_defines(board),
            ["-Werror", "-Wstrict-prototypes", "-Wmissing-prototypes"],
        )
        subprocess.run(argv, check=True)


@pytest.mark.parametrize("compiler", ["gcc -std=c99 -xc", "g++ -std=c++11 -xc++"])
def test_headers_stand_alone(compiler, tmp_path):
    program, *flags = compiler.split()
    if shutil.which(program) is None:
        pytest.skip(f"needs {program}")
    for header in sorted((data_dir("firmware") / "include").glob("*.h")):
        source = f'#include "{header.name}"\n#include "{header.name}"\n'
        defines = [
            *("-DBOARD_CLOCK_HZ=1u", "-DBOARD_CLOCK_SOURCE=1", "-DBOARD_CLOCK_SOURCE_HZ=1000000u"),
            *("-DBOARD_CONSOLE_BASE=0u", "-DBOARD_CONSOLE_BAUD=1u"),
            *("-DBOARD_CONSOLE_TX_PORT=0u", "-DBOARD_CONSOLE_TX_PIN=0u"),
            *("-DBOARD_CONSOLE_RX_PORT=0u", "-DBOARD_CONSOLE_RX_PIN=0u"),
            *("-DBOARD_PINS_BASE=0u", "-DBOARD_PINS_ENABLE=0u"),
        ]
        command = [
            *(program, *flags, *defines, "-Wall", "-Wextra", "-Wconversion", "-Werror"),
            *("-fsyntax-only", f"-I{header.parent}", "-"),
        ]
        subprocess.run(command, input=source, text=True, check=True, cwd=tmp_path)
