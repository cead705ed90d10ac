"""The screen after a build: what the image takes of every region, pool and the stack, as bars."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aot.report.schema import Memory

_COLUMNS = 80
_BAR = 30
_ALARM = 0.9


@dataclass(frozen=True)
class _Line:
    label: str
    bytes: int
    limit: int | None


def memory_screen(board: str, memory: Memory) -> str:
    """Need against limit in at most 80 columns; `!` where more than 90 % is taken."""
    lines = list(_lines(memory))
    needs = [f"{line.bytes:,}" for line in lines]
    limits = ["" if line.limit is None else f"{line.limit:,}" for line in lines]
    need, limit = (max((len(t) for t in texts), default=0) for texts in (needs, limits))
    # Besides: indent 2, ` of `, ` 100.0 %`, ` |`, `| !`.
    room = _COLUMNS - 2 - (1 + need) - (4 + limit) - 8 - 2 - 3
    label = min(max((len(line.label) for line in lines), default=0), room - 8)
    bar = min(_BAR, room - label)
    text = f"{board}: flash {memory.flash:,} bytes, RAM {memory.ram:,} bytes"
    text += ", stack included\n" if memory.stack.bytes else "\n"
    for line, n, m in zip(lines, needs, limits, strict=True):
        name = line.label if len(line.label) <= label else f"{line.label[: label - 1]}~"
        text += f"  {name:<{label}} {n:>{need}}"
        if line.limit:
            share = line.bytes / line.limit
            filled = "#" * min(bar, round(bar * share))
            text += f" of {m:>{limit}} {100 * share:5.1f} % |{filled:<{bar}}|"
            text += " !" if share > _ALARM else ""
        text += "\n"
    return text


def _lines(memory: Memory) -> Iterator[_Line]:
    """Each region with the stack and the pools in it, then pools that are in none."""
    for region in memory.regions:
        yield _Line(region.name, region.bytes, region.limit)
        if memory.stack.region == region.name:
            yield _Line("  stack", memory.stack.bytes, region.limit)
        for pool in memory.pools:
            if pool.region == region.name:
                yield _Line(f"  pool {pool.name}", pool.bytes, pool.limit)
    for pool in memory.pools:
        if not pool.region:
            yield _Line(f"pool {pool.name}", pool.bytes, pool.limit)
