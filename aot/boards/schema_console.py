"""The part of the board file's schema that describes the console and its pins."""

from __future__ import annotations

import re
from pathlib import Path

from aot.boards.board import Bit, Console, Pin, Pins, Usb
from aot.boards.drivers import DriverKind, driver_names
from aot.boards.schema_memory import ADDRESS_SPACE
from aot.boards.yaml_reader import Value, optional

# As the vendors write them: PA9 (ST), P0.06 (Nordic), GPIO16 (Raspberry Pi, SiFive).
_PIN = re.compile(r"P([A-K])([0-9]|1[0-5])|P([01])\.([0-2][0-9]|3[01])|GPIO([0-9]|[1-4][0-9])")
_PIN_FORM = "a pin such as PA9, P0.06 or GPIO16"
_MAX_HZ = 4_000_000_000
_NO_PINS = Pins("none", None, None, ())


def driver(value: Value, firmware: Path, kind: DriverKind) -> str:
    """The name of a driver that the folder ``firmware`` has. Raises BoardFileError."""
    return value.choice(driver_names(firmware, kind), f"{kind} driver")


def console_from(value: Value, firmware: Path) -> Console:
    """The console that ``value`` describes. Raises BoardFileError."""
    f = value.fields(
        ("driver", "baud"), ("base", "interrupt", "hz", "enable", "pins", "usb", "dtr", "rts")
    )
    return Console(
        driver=driver(f["driver"], firmware, "console"),
        base=optional(f, "base", _address, None),
        interrupt=optional(f, "interrupt", lambda v: v.integer(0, 479), None),
        baud=f["baud"].integer(300, 12_000_000),
        hz=optional(f, "hz", lambda v: v.integer(1, _MAX_HZ), None),
        enable=optional(f, "enable", _bit, None),
        pins=optional(f, "pins", lambda v: _pins(v, firmware), _NO_PINS),
        usb=optional(f, "usb", _usb, None),
        dtr=optional(f, "dtr", Value.flag, True),
        rts=optional(f, "rts", Value.flag, True),
    )


def _address(value: Value) -> int:
    address = value.integer(0, ADDRESS_SPACE - 4)
    if address % 4:
        raise value.error("must be a multiple of 4")
    return address


def _bit(value: Value) -> Bit:
    f = value.fields(("register", "bit"))
    return Bit(_address(f["register"]), f["bit"].integer(0, 31))


def _pins(value: Value, firmware: Path) -> Pins:
    f = value.fields(("driver", "tx", "rx"), ("base", "enable"))
    return Pins(
        driver=driver(f["driver"], firmware, "pins"),
        base=optional(f, "base", _address, None),
        enable=optional(f, "enable", _address, None),
        pins=(_pin(f["tx"], "tx"), _pin(f["rx"], "rx")),
    )


def _pin(value: Value, signal: str) -> Pin:
    f = value.fields(("pin",), ("function",))
    match = _PIN.fullmatch(f["pin"].matching(_PIN, _PIN_FORM))
    assert match is not None, "matching() has looked"
    letter, port, number = match[1], match[3], match[2] or match[4] or match[5]
    return Pin(
        "tx" if signal == "tx" else "rx",
        ord(letter) - ord("A") if letter else int(port or 0),
        int(number),
        optional(f, "function", lambda v: v.integer(0, 31), 0),
    )


def _usb(value: Value) -> Usb:
    f = value.fields(("vid", "pid"), ("interface",))
    return Usb(
        vid=f["vid"].integer(0, 0xFFFF),
        pid=f["pid"].integer(0, 0xFFFF),
        interface=optional(f, "interface", lambda v: v.integer(0, 255), None),
    )
