"""Completes the boot block of an image that has one: its checksum is its last word.

RP2040 datasheet 2.8.1.3.1 "Checksum": CRC-32 with polynomial 0x04c11db7 over 252 bytes, from all
ones, neither reflected nor inverted at the end.
"""

from __future__ import annotations

import struct
from pathlib import Path

from aot.boards.elf import read_sections

SECTION = ".boot"
_BYTES = 256
_POLYNOMIAL = 0x04C11DB7


def checksum(block: bytes) -> int:
    """The checksum of a boot block without its last word."""
    crc = 0xFFFFFFFF
    for byte in block:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1) ^ (_POLYNOMIAL if crc & 0x80000000 else 0)
            crc &= 0xFFFFFFFF
    return crc


def seal(elf: Path) -> None:
    """Writes the checksum into the boot block of ``elf``, if it has one.

    Raises ImageFormatError.
    """
    for section in read_sections(elf):
        if section.name == SECTION and section.size == _BYTES:
            with elf.open("r+b") as image:
                image.seek(section.offset)
                block = image.read(_BYTES - 4)
                image.seek(section.offset + len(block))
                image.write(struct.pack("<I", checksum(block)))
