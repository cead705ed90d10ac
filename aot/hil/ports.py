"""Finds the serial port of a board among those that the machine has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from serial.tools import list_ports

from aot.boards.board import Board, Usb
from aot.hil.errors import PortError

# Ends the location of a port in a device of several interfaces, as pyserial reports it:
# <bus>-<ports>:<configuration>.<interface>, on Windows with `x` for the configuration.
_INTERFACE = re.compile(r":(?:[0-9]+|x)\.([0-9]+)$")
_HINT = (
    "check cable and power; on Linux, the user needs the group dialout, and a container or virtual "
    "machine needs the device handed on"
)


class NoPortError(PortError):
    """No port of the machine is the board's."""


class AmbiguousPortError(PortError):
    """Several ports could be the board's."""


@dataclass(frozen=True)
class PortInfo:
    """A serial port; what stands after its description is known of USB devices only."""

    device: str
    description: str
    serial_number: str | None = None
    vid: int | None = None
    pid: int | None = None
    location: str | None = None

    @property
    def interface(self) -> int | None:
        """The number of its USB interface, None where the system does not tell."""
        match = _INTERFACE.search(self.location or "")
        return int(match[1]) if match else None

    def __str__(self) -> str:
        pair = "" if self.vid is None or self.pid is None else f", {self.vid:04x}:{self.pid:04x}"
        number = "" if self.serial_number is None else f", serial number {self.serial_number}"
        return f"{self.device} ({self.description}{pair}{number})"


def connected_ports() -> tuple[PortInfo, ...]:
    """The serial ports of this machine, sorted by device."""
    return tuple(
        PortInfo(p.device, p.description, p.serial_number, p.vid, p.pid, p.location)
        for p in sorted(list_ports.comports())
    )


def find_port(board: Board, ports: Sequence[PortInfo], probe: str | None = None) -> str:
    """The device of the one port of ``ports`` that fits: by the serial number ``probe``, or else
    by the USB vendor, product and interface of the board file.

    Raises NoPortError or AmbiguousPortError, which list what was looked for and what is there.
    """
    usb = board.console.usb
    if probe is None and usb is None:
        raise NoPortError(
            "the board file names no USB device to look for",
            where=f"board {board.name}",
            remedy="name the port as PORT= or in the lab file",
        )
    fitting = [p for p in ports if _fits(p, usb, probe)]
    if not fitting:
        there = "; ".join(map(str, ports)) or "no serial port at all"
        raise NoPortError(
            f"no port of {_wanted(usb, probe)}; there is {there}",
            where=f"board {board.name}",
            remedy=_HINT,
        )
    if len(fitting) > 1:
        raise AmbiguousPortError(
            f"{len(fitting)} ports of {_wanted(usb, probe)}: {'; '.join(map(str, fitting))}",
            where=f"board {board.name}",
            remedy="name the port as PORT= or in the lab file"
            if probe
            else "say which as PROBE= (the serial number), as PORT=, or in the lab file",
        )
    return fitting[0].device


def same_serial_number(a: str, b: str) -> bool:
    """Whether two spellings are one serial number: tools differ in case and in leading zeros."""
    return _plain(a) == _plain(b)


def _plain(number: str) -> str:
    return number.strip().lower().lstrip("0")


def _fits(port: PortInfo, usb: Usb | None, probe: str | None) -> bool:
    # Where the system does not tell a port's interface, the rest has to decide.
    wanted = None if usb is None else usb.interface
    if wanted is not None and port.interface not in (None, wanted):
        return False
    if probe is not None:
        # Vendor and product change with the probe's firmware, its serial number does not.
        return port.serial_number is not None and same_serial_number(port.serial_number, probe)
    return usb is not None and (port.vid, port.pid) == (usb.vid, usb.pid)


def _wanted(usb: Usb | None, probe: str | None) -> str:
    interface = "" if usb is None or usb.interface is None else f", interface {usb.interface}"
    if probe is not None:
        return f"serial number {probe}{interface}"
    assert usb is not None, "either is given"
    return f"USB device {usb.vid:04x}:{usb.pid:04x}{interface}"
