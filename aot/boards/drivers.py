"""The firmware's drivers, known by the names of their source files."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

DriverKind = Literal["startup", "console", "clock", "counter"]
DRIVER_KINDS: tuple[DriverKind, ...] = ("startup", "console", "clock", "counter")

# A board whose operating system starts programs has no start-up code of its own.
NO_STARTUP = "none"


def driver_names(firmware: Path, kind: DriverKind) -> tuple[str, ...]:
    """The drivers of ``kind`` in the folder of firmware sources, sorted."""
    names = {p.stem[len(kind) + 1 :] for p in firmware.glob(f"{kind}_*.c")}
    if kind == "startup":
        names.add(NO_STARTUP)
    return tuple(sorted(names))


def driver_source(kind: DriverKind, name: str) -> str:
    """The file that holds a driver."""
    return f"{kind}_{name}.c"


def common_sources(firmware: Path) -> tuple[str, ...]:
    """The sources that every board needs: those that belong to no driver, sorted."""
    drivers = tuple(f"{kind}_" for kind in DRIVER_KINDS)
    return tuple(sorted(p.name for p in firmware.glob("*.c") if not p.name.startswith(drivers)))
