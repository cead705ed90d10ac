"""Values that occur in several parts of the board file: drivers and pins."""

from __future__ import annotations

import re
from pathlib import Path

from aot.boards.board import Pin
from aot.boards.drivers import DriverKind, driver_names
from aot.boards.yaml_reader import Value, optional

# As the vendors write them: PA9 (ST), P0.06 (Nordic), GPIO16 (Raspberry Pi, SiFive).
_PIN = re.compile(r"P([A-K])([0-9]|1[0-5])|P([01])\.([0-2][0-9]|3[01])|GPIO([0-9]|[1-4][0-9])")
_PIN_FORM = "a pin such as PA9, P0.06 or GPIO16"


def driver(value: Value, firmware: Path, kind: DriverKind) -> str:
    """The name of a driver that the folder ``firmware`` has. Raises BoardFileError."""
    return value.choice(driver_names(firmware, kind), f"{kind} driver")


def pin(value: Value) -> Pin:
    """A pin and its function, 0 where none is named. Raises BoardFileError."""
    f = value.fields(("pin",), ("function",))
    match = _PIN.fullmatch(f["pin"].matching(_PIN, _PIN_FORM))
    assert match is not None, "matching() has looked"
    letter, port, number = match[1], match[3], match[2] or match[4] or match[5]
    return Pin(
        ord(letter) - ord("A") if letter else int(port or 0),
        int(number),
        optional(f, "function", lambda v: v.integer(0, 31), 0),
    )
