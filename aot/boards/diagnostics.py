"""Turns what the compiler and the linker print when they fail into named errors."""

from __future__ import annotations

import re
from pathlib import Path

from aot.boards.board import Board, Region
from aot.boards.errors import CompileError, LinkError, RegionOverflow, RegionOverflowError
from aot.ir.pools import PoolKind

_OVERFLOW = re.compile(r"region `(\w+)' overflowed by (\d+) bytes?")
_MAX_LINES = 12


def compile_error(source: Path, stderr: str) -> CompileError:
    """The failure of one C file, with the first lines of what the compiler said."""
    return CompileError(_head(stderr), where=f"compiling {source.name}")


def link_error(board: Board, stderr: str) -> LinkError:
    """The failure of a link; RegionOverflowError where GNU ld ran out of a region."""
    over = {m[1]: int(m[2]) for m in _OVERFLOW.finditer(stderr)}
    overflows = tuple(
        RegionOverflow(r.name, r.size + over[r.name], r.size, _contents(board, r))
        for r in board.memory.regions
        if r.name in over
    )
    if overflows:
        return RegionOverflowError(board.name, overflows, _remedy(board, overflows))
    return LinkError(_head(stderr), where=f"board {board.name}")


def _contents(board: Board, region: Region) -> str:
    """What the linker script puts into ``region``."""
    memory = board.memory
    things = [
        *(["code"] if region.name == memory.code else []),
        *(["stack"] if region.name == memory.stack else []),
        *(["static data (interface tensors among them)"] if region.name == memory.data else []),
        *(f"pool `{p.name}`" for p in board.pools if p.region == region.name),
    ]
    return " and ".join(things)


def _remedy(board: Board, overflows: tuple[RegionOverflow, ...]) -> str:
    """What makes room: pools elsewhere for what shares a region with the static data."""
    full = {o.region for o in overflows}
    workspace = [p for p in board.pools if p.kind is PoolKind.WORKSPACE]
    inside = [p.name for p in workspace if p.region in full]
    elsewhere = [p.name for p in workspace if p.region not in full]
    advice = []
    if inside and elsewhere:
        advice.append(
            f"lower the limit of pool `{inside[0]}` (--pool, POOLS= or size_limit) so that buffers "
            f"go to `{'`, `'.join(elsewhere)}`"
        )
    if board.memory.data in full and workspace:
        advice.append("put the interface tensors into the pools (--io-in-pools, IO_IN_POOLS=1)")
    return ", or ".join([*advice, "use a smaller model"])


def _head(stderr: str) -> str:
    lines = stderr.strip().splitlines() or ["it failed without a message"]
    rest = len(lines) - _MAX_LINES
    return "\n".join([*lines[:_MAX_LINES], *([f"... {rest} more lines"] if rest > 0 else [])])
