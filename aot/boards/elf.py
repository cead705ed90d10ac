"""Reads from an ELF file the sections that take memory."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

from aot.boards.errors import ImageFormatError


@dataclass(frozen=True)
class Section:
    """Bytes at ``address``; ``load_address`` is where they are stored, None for no contents, and
    ``offset`` where in the file."""

    name: str
    address: int
    load_address: int | None
    offset: int
    size: int
    writable: bool


@dataclass(frozen=True)
class _Layout:
    """Struct formats of one ELF class and the fields' positions in a program header."""

    header: struct.Struct
    section: struct.Struct
    segment: struct.Struct
    vaddr: int


# System V ABI, chapters "Object Files" and "Program Header": Elf32_Ehdr, Elf32_Shdr, Elf32_Phdr
# and their 64 bit forms. p_paddr, p_filesz and p_memsz follow p_vaddr in both.
_LAYOUTS = {
    1: _Layout(struct.Struct("<16x2H5I6H"), struct.Struct("<10I"), struct.Struct("<8I"), 2),
    2: _Layout(
        struct.Struct("<16x2HI3QI6H"), struct.Struct("<2I4Q2I2Q"), struct.Struct("<2I6Q"), 3
    ),
}
_LITTLE_ENDIAN = 1
_PT_LOAD, _SHT_NOBITS, _SHF_WRITE, _SHF_ALLOC = 1, 8, 1, 2


def read_sections(path: Path) -> tuple[Section, ...]:
    """The allocated sections of a little-endian ELF file that are not empty, in its order.

    Raises ImageFormatError where the file cannot be read or is no such file.
    """
    try:
        data = path.read_bytes()
        if data[:4] != b"\x7fELF" or data[4] not in _LAYOUTS or data[5] != _LITTLE_ENDIAN:
            raise ImageFormatError("not a little-endian ELF file", where=str(path))
        return _sections(data, _LAYOUTS[data[4]])
    except OSError as error:
        raise ImageFormatError(error.strerror or str(error), where=str(path)) from None
    except (IndexError, ValueError, struct.error):
        raise ImageFormatError("the ELF file is cut short", where=str(path)) from None


def _sections(data: bytes, layout: _Layout) -> tuple[Section, ...]:
    fields = layout.header.unpack_from(data)
    segment_table, section_table = fields[4], fields[5]
    segment_bytes, segments, section_bytes, count, names_index = fields[8:13]
    loads = [
        segment[layout.vaddr : layout.vaddr + 4]
        for i in range(segments)
        if (segment := layout.segment.unpack_from(data, segment_table + i * segment_bytes))[0]
        == _PT_LOAD
    ]
    names_at = layout.section.unpack_from(data, section_table + names_index * section_bytes)[4]
    sections = []
    for i in range(count):
        header = layout.section.unpack_from(data, section_table + i * section_bytes)
        name_at, type_, flags, address, offset, size = header[:6]
        if flags & _SHF_ALLOC and size:
            load = None if type_ == _SHT_NOBITS else _load_address(address, loads)
            start = names_at + name_at
            name = data[start : data.index(b"\0", start)].decode("ascii", "replace")
            sections.append(Section(name, address, load, offset, size, bool(flags & _SHF_WRITE)))
    return tuple(sections)


def _load_address(address: int, loads: list[tuple[int, ...]]) -> int:
    for vaddr, paddr, _, memsz in loads:
        if vaddr <= address < vaddr + memsz:
            return paddr + address - vaddr
    return address
