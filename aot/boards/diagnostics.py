"""Turns what the compiler and the linker print when they fail into named errors."""

from __future__ import annotations

import re
from pathlib import Path

from aot.boards.board import Board
from aot.boards.errors import CompileError, LinkError, RegionOverflow, RegionOverflowError

_OVERFLOW = re.compile(r"region `(\w+)' overflowed by (\d+) bytes?")
_MAX_LINES = 12


def compile_error(source: Path, stderr: str) -> CompileError:
    """The failure of one C file, with the first lines of what the compiler said."""
    return CompileError(_head(stderr), where=f"compiling {source.name}")


def link_error(board: Board, stderr: str) -> LinkError:
    """The failure of a link; RegionOverflowError where GNU ld ran out of a region."""
    over = {m[1]: int(m[2]) for m in _OVERFLOW.finditer(stderr)}
    overflows = tuple(
        RegionOverflow(region.name, region.size + over[region.name], region.size)
        for region in board.memory.regions
        if region.name in over
    )
    if overflows:
        return RegionOverflowError(board.name, overflows)
    return LinkError(_head(stderr), where=f"board {board.name}")


def _head(stderr: str) -> str:
    lines = stderr.strip().splitlines() or ["it failed without a message"]
    rest = len(lines) - _MAX_LINES
    return "\n".join([*lines[:_MAX_LINES], *([f"... {rest} more lines"] if rest > 0 else [])])
