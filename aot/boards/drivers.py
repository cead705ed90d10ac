"""The firmware's drivers, known by the names of their folders and files."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

DriverKind = Literal["boot", "startup", "console", "pins", "clock", "memory", "counter"]

# A board whose operating system starts programs has no start-up code of its own.
NO_STARTUP = "none"


def driver_names(firmware: Path, kind: DriverKind) -> tuple[str, ...]:
    """The drivers of ``kind`` in the folder of firmware sources, sorted."""
    names = {p.stem for p in (firmware / kind).glob("*.c")}
    if kind == "startup":
        names.add(NO_STARTUP)
    return tuple(sorted(names))


def driver_source(kind: DriverKind, name: str) -> str:
    """The file that holds a driver, below the folder of firmware sources."""
    return f"{kind}/{name}.c"


def common_sources(firmware: Path, is_bare: bool) -> tuple[str, ...]:
    """The sources that belong to no driver, sorted: those of every board, and then those of a
    board without, or with, an operating system."""
    side = "bare" if is_bare else "hosted"
    shared = sorted(p.name for p in firmware.glob("*.c"))
    return (*shared, *sorted(f"{side}/{p.name}" for p in (firmware / side).glob("*.c")))
