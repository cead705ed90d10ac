"""UF2 images have every field as the format's specification wants it."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from aot.boards.loader import board_names, load_board
from aot.boards.uf2 import uf2_image

from .linked import link_digits

# RP2040 datasheet 2.8.4.2; RP2350 datasheet 5.5.3, "rp2350-arm-s".
FAMILIES = {"rpi_pico": 0xE48BFF56, "rpi_pico2": 0xE48BFF59}


def read_uf2(image: bytes, family: int) -> tuple[int, bytes]:
    """Address and contents of a UF2 file, read field by field as "File format" of the
    specification (Microsoft) lists them."""
    assert len(image) % 512 == 0
    first, contents = 0, b""
    for number in range(len(image) // 512):
        block = image[512 * number : 512 * (number + 1)]
        assert block[:4] == b"UF2\n"
        assert block[4:8] == bytes.fromhex("57515d9e")
        flags, address, size, index, count, file_size = struct.unpack("<6I", block[8:32])
        # The flag says that the last field holds the family; all others stay zero.
        assert flags == 0x2000
        assert file_size == family
        assert (index, count) == (number, len(image) // 512)
        # RP2040 datasheet 2.8.4.2: 256 bytes each, at a multiple of 256.
        assert size == 256
        assert address % 256 == 0
        if number == 0:
            first = address
        assert address == first + 256 * number
        assert block[32 + size : 508] == bytes(476 - size)
        assert block[508:] == bytes.fromhex("306fb10a")
        contents += block[32 : 32 + size]
    return first, contents


@pytest.mark.parametrize("size", [1, 255, 256, 257, 5000])
def test_blocks(size: int) -> None:
    raw = bytes(i * 7 % 251 for i in range(size))
    first, contents = read_uf2(uf2_image(raw, 0x10000000, 0xE48BFF56), 0xE48BFF56)
    assert first == 0x10000000
    assert contents == raw + bytes(-size % 256)


def test_nothing_becomes_no_block() -> None:
    assert uf2_image(b"", 0x10000000, 0xE48BFF56) == b""


def test_boards_with_a_family() -> None:
    boards = [load_board(name) for name in board_names()]
    assert {b.name: b.uf2_family for b in boards if b.uf2_family is not None} == FAMILIES


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_the_firmware_of_a_board(name: str, tmp_path: Path) -> None:
    linked = link_digits(name, tmp_path)
    assert linked.image.uf2 is not None
    first, contents = read_uf2(linked.image.uf2.read_bytes(), FAMILIES[name])
    memory = linked.board.memory
    assert first == memory.region(memory.code).origin
    stored = [(n, s) for n, s in linked.sections.items() if s.load_address is not None]
    assert len(stored) >= 4
    for section, span in stored:
        assert span.load_address is not None
        start = span.load_address - first
        assert contents[start : start + span.size] == linked.contents(section)
    end = max(s.load_address + s.size for _, s in stored if s.load_address is not None)
    assert len(contents) == -(-(end - first) // 256) * 256
