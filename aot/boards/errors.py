"""What can go wrong with board files and firmware builds."""

from __future__ import annotations

from dataclasses import dataclass

from aot.errors import MicroaotError


class BoardError(MicroaotError):
    """The root of this package's failures."""


class BoardFileError(BoardError):
    """A board file that cannot be read or breaks the schema; ``where`` is file:line: key."""


class UnknownBoardError(BoardError):
    """No board file has the name or alias that was asked for."""


class ToolchainMissingError(BoardError):
    """A program or library of the board's toolchain is not installed."""


class ToolchainTooOldError(BoardError):
    """The installed compiler is older than the board's ``min_version``."""


class FirmwareSourceError(BoardError):
    """The set of sources cannot make one firmware."""


class CompileError(BoardError):
    """The compiler refused a source file."""


class LinkError(BoardError):
    """The linker, or objcopy after it, refused the objects."""


@dataclass(frozen=True)
class RegionOverflow:
    """A memory region that must hold ``need`` bytes, which ``contents`` names, but has only
    ``limit``."""

    region: str
    need: int
    limit: int
    contents: str


class RegionOverflowError(LinkError):
    """The firmware does not fit; ``overflows`` has every region that is too small."""

    def __init__(self, board: str, overflows: tuple[RegionOverflow, ...], remedy: str) -> None:
        self.overflows = overflows
        what = ", ".join(
            f"region {o.region!r} needs {o.need} bytes and has {o.limit} "
            f"({o.need - o.limit} over) for {o.contents}"
            for o in overflows
        )
        super().__init__(what, where=f"board {board}", remedy=remedy)


class ImageFormatError(BoardError):
    """A file is not the ELF image it should be."""
