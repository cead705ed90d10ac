"""Linked firmware to look into: sections, symbols and instructions."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import pytest

from aot.boards.board import Board, Region
from aot.boards.build import FirmwareImage, build_firmware
from aot.boards.elf import Section, read_sections
from aot.boards.firmware import firmware_plan
from aot.boards.loader import board_names, load_board
from aot.build import generate_firmware
from aot.codegen.files import write_files
from aot.compiler import CompileOptions, compile_model
from tests.support.models import DIGITS

BARE = [n for n in board_names() if not load_board(n).toolchain.is_native]


@dataclass(frozen=True)
class Instruction:
    """An instruction: where, its bytes in hex as objdump groups them, and its text."""

    address: int
    code: str
    text: str

    @property
    def mnemonic(self) -> str:
        return self.text.split()[0]


@dataclass(frozen=True)
class Linked:
    """A firmware image for ``board`` and what binutils and our own reader say of it."""

    board: Board
    image: FirmwareImage

    @cached_property
    def sections(self) -> dict[str, Section]:
        return {s.name: s for s in read_sections(self.image.elf)}

    @cached_property
    def symbols(self) -> dict[str, int]:
        lines = self._ask("nm").splitlines()
        return {name: int(value, 16) for value, _, name in (line.split() for line in lines)}

    @cached_property
    def instructions(self) -> tuple[Instruction, ...]:
        """What objdump takes for code in .text, which mapping symbols tell from data."""
        listing = self._ask("objdump", "-d", "-j", ".text", "-j", ".vectors")
        lines = re.findall(r"^ *([0-9a-f]+):\t([0-9a-f ]+?) *\t(\S.*)$", listing, re.MULTILINE)
        return tuple(
            Instruction(int(address, 16), code.strip(), text)
            for address, code, text in lines
            if not text.startswith(".")
        )

    @property
    def entry(self) -> int:
        found = re.search(r"start address (0x[0-9a-f]+)", self._ask("objdump", "-f"))
        assert found is not None
        return int(found[1], 16)

    def contents(self, section: str) -> bytes:
        """The bytes of a section that is stored."""
        found = self.sections[section]
        return self.image.elf.read_bytes()[found.offset : found.offset + found.size]

    def region_of(self, address: int) -> Region | None:
        """The board's region that ``address`` lies in."""
        regions = self.board.memory.regions
        return next((r for r in regions if r.origin <= address < r.end), None)

    def _ask(self, tool: str, *options: str) -> str:
        program = f"{self.board.toolchain.prefix}{tool}"
        return subprocess.run(
            [program, *options, str(self.image.elf)], capture_output=True, text=True, check=True
        ).stdout


# The firmware itself has no initialised data, of which start-up must take care all the same.
PROBE = """\
#include <stdint.h>
uint32_t probe_data[3] = {0x01234567u, 0x89abcdefu, 0x5aa5c33cu};
uint32_t probe_bss[5];
"""
PROBE_DATA = struct.pack("<3I", 0x01234567, 0x89ABCDEF, 0x5AA5C33C)


def link_digits(name: str, folder: Path) -> Linked:
    """The firmware of the example for a board, with a little data of the test's own; skips where
    the compiler is missing."""
    board = load_board(name)
    if shutil.which(board.toolchain.compiler) is None:
        pytest.skip(f"{board.toolchain.compiler} is missing")
    options = CompileOptions("digits", board.ir_pools())
    model = compile_model(DIGITS.read_bytes(), DIGITS.name, options)
    generated = folder / "generated"
    files = generate_firmware(board, [model])
    write_files(files.files, generated)
    (generated / "probe.c").write_text(PROBE)
    keep = ("-Wl,--undefined=probe_data", "-Wl,--undefined=probe_bss")
    plan = firmware_plan(board, [generated / n for n in (*files.sources, "probe.c")])
    plan = replace(plan, board=replace(board, ldflags=(*board.ldflags, *keep)))
    return Linked(board, build_firmware(plan, folder / "out"))
