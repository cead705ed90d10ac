"""ELF files of both classes are read, and what is none is refused."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from aot.boards.elf import read_sections
from aot.boards.errors import ImageFormatError
from aot.boards.loader import load_board
from aot.boards.size import image_size

SOURCE = """\
int set[100] = {1};
int zeroed[200];
int main(void) { return set[0] + zeroed[0]; }
"""

needs_gcc = pytest.mark.skipif(
    shutil.which("gcc") is None or shutil.which("size") is None,
    reason="gcc or size is missing; on Debian: gcc, binutils",
)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    source, elf = tmp_path / "a.c", tmp_path / "a"
    source.write_text(SOURCE)
    subprocess.run(["gcc", source, "-o", elf], check=True)
    return elf


@needs_gcc
def test_a_native_program_measures_as_binutils_measures_it(program: Path) -> None:
    answer = subprocess.run(["size", "-B", program], capture_output=True, text=True, check=True)
    text, data, bss = (int(n) for n in answer.stdout.splitlines()[1].split()[:3])
    size = image_size(load_board("host"), program)
    assert (size.flash, size.ram, size.regions) == (text, data + bss, ())


@needs_gcc
def test_zeroed_sections_are_not_stored(program: Path) -> None:
    sections = read_sections(program)
    zeroed = [s for s in sections if s.writable and s.load_address is None]
    assert sum(s.size for s in zeroed) >= 800
    assert any(s.writable and s.load_address is not None and s.size >= 400 for s in sections)


@pytest.mark.parametrize(
    "data", [b"", b"\x7fEL", b"MZ" + bytes(100), b"\x7fELF\x01\x02" + bytes(90)]
)
def test_refuses_what_is_no_little_endian_elf(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x"
    path.write_bytes(data)
    with pytest.raises(ImageFormatError, match=r"x: (not a little-endian|the) ELF file"):
        read_sections(path)


@needs_gcc
def test_refuses_a_file_cut_short(program: Path) -> None:
    data = program.read_bytes()
    program.write_bytes(data[: len(data) - 100])
    with pytest.raises(ImageFormatError, match="the ELF file is cut short"):
        read_sections(program)


def test_refuses_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ImageFormatError, match="No such file or directory"):
        read_sections(tmp_path / "none")
