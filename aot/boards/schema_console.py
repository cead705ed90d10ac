"""The part of the board file's schema that describes the console and its pins."""

from __future__ import annotations

from pathlib import Path

from aot.boards.board import Bit, Console, Pins, Usb
from aot.boards.schema_memory import ADDRESS_SPACE
from aot.boards.schema_parts import driver, pin
from aot.boards.yaml_reader import Value, optional

_MAX_HZ = 4_000_000_000
_NO_PINS = Pins("none", None, None, None, None)


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
        tx=pin(f["tx"]),
        rx=pin(f["rx"]),
    )


def _usb(value: Value) -> Usb:
    f = value.fields(("vid", "pid"), ("interface",))
    return Usb(
        vid=f["vid"].integer(0, 0xFFFF),
        pid=f["pid"].integer(0, 0xFFFF),
        interface=optional(f, "interface", lambda v: v.integer(0, 255), None),
    )
