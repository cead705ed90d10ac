"""The debug probes and boot loaders on the USB of a Linux machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_DEVICES = Path("/sys/bus/usb/devices")
_NODES = Path("/dev/bus/usb")
# USB vendors of the probes and boot loaders that the boards here have or take.
_VENDORS = {
    0x0483: "STMicroelectronics",
    0x0D28: "Arm DAPLink",
    0x1366: "SEGGER",
    0x2E8A: "Raspberry Pi",
    0x1915: "Nordic Semiconductor",
}


@dataclass(frozen=True)
class Probe:
    """A USB device of a vendor of probes; ``node`` is the file through which programs reach it."""

    vid: int
    pid: int
    product: str
    serial_number: str
    node: Path

    def __str__(self) -> str:
        number = f", serial number {self.serial_number}" if self.serial_number else ""
        return f"{_VENDORS[self.vid]} {self.product} ({self.vid:04x}:{self.pid:04x}{number})"


def connected_probes(devices: Path = _DEVICES, nodes: Path = _NODES) -> tuple[Probe, ...]:
    """The probes that sysfs shows below ``devices``, sorted by its names; none elsewhere."""
    return tuple(_probes(devices, nodes))


def _probes(devices: Path, nodes: Path) -> Iterator[Probe]:
    for folder in sorted(devices.glob("*")):
        vid = _read(folder / "idVendor")
        if not vid or int(vid, 16) not in _VENDORS:
            continue
        bus, number = (int(_read(folder / name) or 0) for name in ("busnum", "devnum"))
        yield Probe(
            int(vid, 16),
            int(_read(folder / "idProduct"), 16),
            _read(folder / "product"),
            _read(folder / "serial"),
            nodes / f"{bus:03}" / f"{number:03}",
        )


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""
