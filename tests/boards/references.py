"""Facts about parts from others: CMSIS-SVD files and device descriptions that PyPI carries."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from modm_devices.parser import DeviceParser
from pyocd.target import TARGET


@dataclass(frozen=True)
class Field:
    """Bits ``low`` to ``low + width - 1`` of a register."""

    name: str
    low: int
    width: int

    @property
    def mask(self) -> int:
        return ((1 << self.width) - 1) << self.low


@dataclass(frozen=True)
class Register:
    """A register at ``address``, by its peripheral's name and its own, and its reset value."""

    peripheral: str
    name: str
    address: int
    reset: int
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Svd:
    """The peripherals of a device by name, with their base, interrupts by name, and registers."""

    bases: dict[str, int]
    interrupts: dict[str, int]
    registers: tuple[Register, ...]

    def at(self, address: int) -> list[Register]:
        """The registers at ``address``, several where peripherals share it."""
        return [r for r in self.registers if r.address == address]

    def peripherals_at(self, base: int) -> list[str]:
        """The peripherals whose base is ``base``."""
        return sorted(name for name, at in self.bases.items() if at == base)


@dataclass(frozen=True)
class Part:
    """A chip: core, FPU, memories as (start, end), interrupts, and the alternate functions of
    pins by (port, number, peripheral, signal)."""

    core: str
    fpu: str | None
    memories: tuple[tuple[int, int], ...]
    vectors: dict[int, str]
    functions: dict[tuple[str, int, str, str], int]


@lru_cache
def modm_part(name: str) -> Part:
    """A part of those that modm-devices describes, by its full name."""
    folder = _package("modm_devices") / "resources" / "devices"
    files = {
        k: v for f in json.loads((folder / "db.json").read_text()).values() for k, v in f.items()
    }
    devices = DeviceParser().parse(str(folder / files[name])).get_devices()
    (device,) = [d for d in devices if d.partname == name]
    core = device.get_driver("core")
    memories = [(int(m["start"], 0), int(m["size"], 0)) for m in core["memory"]]
    functions = {}
    for pin in device.get_driver("gpio").get("gpio", ()):
        for signal in pin.get("signal", ()):
            if signal.keys() >= {"af", "driver", "name"}:
                port, number = pin["port"], int(pin["pin"])
                peripheral = f"{signal['driver']}{signal.get('instance', '')}"
                functions[port, number, peripheral, signal["name"]] = int(signal["af"])
    return Part(
        core["type"],
        core.get("fpu"),
        joined((start, start + size) for start, size in memories),
        {int(v["position"]): v["name"] for v in core["vector"]},
        functions,
    )


def pyocd_memories(target: str) -> tuple[tuple[int, int], ...]:
    """The memories of a target that pyOCD has built in."""
    return joined((r.start, r.end + 1) for r in TARGET[target].MEMORY_MAP)


def joined(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The spans with those put together that touch each other."""
    whole: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if whole and start <= whole[-1][1]:
            whole[-1] = (whole[-1][0], max(end, whole[-1][1]))
        else:
            whole.append((start, end))
    return tuple(whole)


def _package(name: str) -> Path:
    spec = find_spec(name)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent


@lru_cache
def pyocd_svd(name: str) -> Svd:
    """A device of those that pyOCD carries."""
    archive = _package("pyocd") / "debug" / "svd" / "svd_data.zip"
    with zipfile.ZipFile(archive) as files:
        return read_svd(files.read(name))


def read_svd(raw: bytes) -> Svd:
    """CMSIS-SVD Description (*.SVD) Format 1.3: what devices, peripherals, clusters, registers
    and fields say, ``derivedFrom`` and ``dim`` followed."""
    device = ElementTree.fromstring(raw)
    peripherals = {_text(p, "name"): p for p in device.iter("peripheral")}
    bases: dict[str, int] = {}
    interrupts: dict[str, int] = {}
    registers: list[Register] = []
    for name, peripheral in peripherals.items():
        bases[name] = _number(_text(peripheral, "baseAddress"))
        for interrupt in peripheral.iterfind("interrupt"):
            interrupts[_text(interrupt, "name")] = _number(_text(interrupt, "value"))
        source = peripheral
        while source.find("registers") is None and source.get("derivedFrom") in peripherals:
            source = peripherals[source.attrib["derivedFrom"]]
        for path, offset, register in _registers(source.find("registers")):
            fields = tuple(_field(f) for f in register.iterfind("fields/field"))
            reset = _number(register.findtext("resetValue", "0"))
            registers.append(Register(name, path, bases[name] + offset, reset, fields))
    return Svd(bases, interrupts, tuple(registers))


def _registers(
    parent: ElementTree.Element | None,
) -> list[tuple[str, int, ElementTree.Element]]:
    """Names, clusters joined by `_`, offsets and elements, arrays as single registers."""
    found: list[tuple[str, int, ElementTree.Element]] = []
    for child in () if parent is None else parent:
        if child.tag not in ("register", "cluster"):
            continue
        for name, offset in _elements(child):
            if child.tag == "register":
                found.append((name, offset, child))
            else:
                inner = _registers(child)
                found += [(f"{name}_{n}", offset + o, register) for n, o, register in inner]
    return found


def _elements(item: ElementTree.Element) -> list[tuple[str, int]]:
    name, offset = _text(item, "name"), _number(_text(item, "addressOffset"))
    if item.find("dim") is None:
        return [(name, offset)]
    count, step = _number(_text(item, "dim")), _number(_text(item, "dimIncrement"))
    index = item.findtext("dimIndex", "").split(",")
    names = index if len(index) == count else [str(i) for i in range(count)]
    return [(re.sub(r"\[?%s\]?", n, name), offset + step * i) for i, n in enumerate(names)]


def _field(field: ElementTree.Element) -> Field:
    name = _text(field, "name")
    if (range_ := field.findtext("bitRange")) is not None:
        high, low = (int(n) for n in re.findall(r"[0-9]+", range_))
        return Field(name, low, high - low + 1)
    if (lsb := field.findtext("lsb")) is not None:
        return Field(name, _number(lsb), _number(_text(field, "msb")) - _number(lsb) + 1)
    low = _number(_text(field, "bitOffset"))
    return Field(name, low, _number(field.findtext("bitWidth", "1")))


def _text(item: ElementTree.Element, tag: str) -> str:
    text = item.findtext(tag)
    assert text is not None, f"an SVD element {item.tag} without {tag}"
    return text.strip()


def _number(text: str) -> int:
    """A scaledNonNegativeInteger: decimal, also with leading zeros, or after 0x or #."""
    text = text.strip()
    return int(text, 10) if text.isdecimal() else int(text.replace("#", "0b"), 0)
