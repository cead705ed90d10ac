"""Measures how much of each memory region a linked firmware takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from aot.boards.board import Board, Region
from aot.boards.elf import Section, read_sections


@dataclass(frozen=True)
class RegionUse:
    """Bytes from the start of a region to the end of the last thing in it, and its size."""

    region: str
    bytes: int
    limit: int


@dataclass(frozen=True)
class ImageSize:
    """Bytes of read-only and of writable memory, and each region's part of them.

    A host program has no regions. Writable memory includes the stack where a section reserves
    it, and initialised data count twice: where they run and where they are stored.
    """

    flash: int
    ram: int
    regions: tuple[RegionUse, ...]


def image_size(board: Board, elf: Path) -> ImageSize:
    """What ``elf``, linked for ``board``, occupies. Raises ImageFormatError."""
    sections = read_sections(elf)
    if board.toolchain.is_native:
        return ImageSize(
            flash=sum(s.size for s in sections if not s.writable),
            ram=sum(s.size for s in sections if s.writable),
            regions=(),
        )
    spans = [span for section in sections for span in _spans(section)]
    regions = board.memory.regions
    uses = tuple(RegionUse(r.name, _end(r, spans) - r.origin, r.size) for r in regions)
    return ImageSize(
        flash=sum(u.bytes for u, r in zip(uses, regions, strict=True) if r.access == "rx"),
        ram=sum(u.bytes for u, r in zip(uses, regions, strict=True) if r.access == "rw"),
        regions=uses,
    )


def _end(region: Region, spans: list[tuple[int, int]]) -> int:
    ends = (end for start, end in spans if region.origin <= start < region.end)
    return max(ends, default=region.origin)


def _spans(section: Section) -> Iterator[tuple[int, int]]:
    """The address ranges that a section takes: where it runs, and where it is stored."""
    yield section.address, section.address + section.size
    if section.load_address is not None:
        yield section.load_address, section.load_address + section.size
