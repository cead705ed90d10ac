"""Measures a linked firmware: regions, pools, stack and sections against what was planned."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from aot.boards.board import Board
from aot.boards.elf import read_sections
from aot.boards.size import image_size
from aot.ir.pools import PoolKind
from aot.report.schema import Memory, Model, ModelPool, PoolNeed, Region, Section, Stack

_STACK_SECTION = ".stack"


def firmware_memory(board: Board, image: Path, models: Sequence[Model]) -> Memory:
    """The memory of ``image``, linked for ``board`` with ``models``. Raises ImageFormatError."""
    size = image_size(board, image)
    native = board.toolchain.is_native
    pools = _pools(board, models)
    planned = {} if native else {_STACK_SECTION: board.stack_bytes}
    for pool in pools:
        if pool.section:
            planned[pool.section] = planned.get(pool.section, 0) + pool.bytes
    return Memory(
        size.flash,
        size.ram,
        tuple(
            Region(use.region, board.memory.region(use.region).access, use.bytes, use.limit)
            for use in size.regions
        ),
        pools,
        Stack("" if native else board.memory.stack, 0 if native else board.stack_bytes),
        tuple(
            Section(s.name, s.address, s.size, planned.get(s.name)) for s in read_sections(image)
        ),
    )


def _pools(board: Board, models: Sequence[Model]) -> tuple[PoolNeed, ...]:
    """Every pool of the models, in the order in which they name them."""
    found: dict[str, list[ModelPool]] = {}
    for model in models:
        for pool in model.pools:
            found.setdefault(pool.name, []).append(pool)
    return tuple(_need(board, uses) for uses in found.values())


def _need(board: Board, uses: Sequence[ModelPool]) -> PoolNeed:
    pool, needs = uses[0], [u.bytes for u in uses]
    shared = pool.kind == PoolKind.WORKSPACE.value
    regions = (p.region for p in board.pools if pool.section == board.pool_section(p))
    return PoolNeed(
        pool.name,
        pool.kind,
        next(regions, "") if pool.section else "",
        # The linker script gathers the input sections of flash pools without the prefix.
        pool.section.removeprefix(".rodata"),
        max(needs) if shared else sum(needs),
        pool.limit,
    )
