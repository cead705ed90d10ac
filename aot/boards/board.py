"""A board: its processor, memory, console and the ways to run code on it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Literal

from aot.ir.pools import Pool, PoolKind

Access = Literal["rx", "rw"]
FloatAbi = Literal["soft", "softfp", "hard"]
ToolchainId = Literal["arm-none-eabi-gcc", "riscv64-unknown-elf-gcc", "host-gcc"]
# In the order of the numbers that the firmware knows them by.
ClockSource = Literal["internal", "crystal", "bypass"]


@dataclass(frozen=True)
class Region:
    """Memory of ``size`` bytes; ``dma`` where other bus masters than the CPU reach it."""

    name: str
    origin: int
    size: int
    access: Access
    cacheable: bool
    dma: bool

    @property
    def end(self) -> int:
        """The first address after the region."""
        return self.origin + self.size


@dataclass(frozen=True)
class BoardPool:
    """A planner's pool inside a region; the fields mean what they mean in aot.ir.pools.Pool."""

    name: str
    region: str
    kind: PoolKind
    size_limit: int | None
    alignment: int
    read_bandwidth: float | None
    write_bandwidth: float | None
    read_latency: float | None
    write_latency: float | None


@dataclass(frozen=True)
class Pin:
    """A pin: GPIO port (A is 0), number, and function."""

    port: int
    number: int
    function: int


@dataclass(frozen=True)
class MemoryDriver:
    """What makes the memory of ``region`` readable, and the pins that it is connected to."""

    driver: str
    region: str
    pins: tuple[Pin, ...]


@dataclass(frozen=True)
class Memory:
    """The regions; which of them hold the code, the static data and the stack; and which of
    them needs a driver, if one does."""

    regions: tuple[Region, ...]
    code: str
    data: str
    stack: str
    external: MemoryDriver | None

    def region(self, name: str) -> Region:
        """The region called ``name``, which the loader has checked to exist."""
        return next(r for r in self.regions if r.name == name)

    def room(self, region: Region, stack_bytes: int) -> int:
        """Bytes of ``region`` that a stack of ``stack_bytes`` leaves."""
        return region.size - (stack_bytes if region.name == self.stack else 0)


@dataclass(frozen=True)
class Cpu:
    """The core in GCC's spelling, its FPU or None, and the instruction-set features it claims."""

    core: str
    fpu: str | None
    float_abi: FloatAbi
    features: tuple[str, ...]


@dataclass(frozen=True)
class Clock:
    """How the core comes to run at ``hz``: the driver, and the oscillator it starts from."""

    driver: str
    hz: int
    source: ClockSource
    source_hz: int


@dataclass(frozen=True)
class Toolchain:
    """A GCC, by the prefix of its programs and the oldest version that serves."""

    id: ToolchainId
    prefix: str
    min_version: tuple[int, ...]

    @property
    def compiler(self) -> str:
        """The compiler driver, which also links."""
        return f"{self.prefix}gcc"

    @property
    def objcopy(self) -> str:
        return f"{self.prefix}objcopy"

    @property
    def is_native(self) -> bool:
        """Whether it builds programs for the machine it runs on."""
        return self.id == "host-gcc"


@dataclass(frozen=True)
class Pins:
    """How the console reaches its pins: the driver, the address of the first port, and that of
    the register that enables ports; None where the driver asks for none."""

    driver: str
    base: int | None
    enable: int | None
    tx: Pin | None
    rx: Pin | None


@dataclass(frozen=True)
class Bit:
    """A bit of the register at an address."""

    register: int
    bit: int


@dataclass(frozen=True)
class Usb:
    """The USB device behind which the console appears on the host.

    Several boards share one vendor and product, so this narrows a search and identifies nothing.
    """

    vid: int
    pid: int
    interface: int | None


@dataclass(frozen=True)
class Console:
    """The serial port that speaks the protocol.

    ``base`` is its address and ``interrupt`` its number at the interrupt controller, None on the
    host; ``hz`` its clock where that is not the core's and no clock driver tells; ``enable`` what
    gives it its clock. ``dtr`` and ``rts`` are what the host holds these lines at, for there are
    boards that they reset.
    """

    driver: str
    base: int | None
    interrupt: int | None
    baud: int
    hz: int | None
    enable: Bit | None
    pins: Pins
    usb: Usb | None
    dtr: bool = True
    rts: bool = True


@dataclass(frozen=True)
class RunnerConfig:
    """Arguments of the board's own for one runner's program."""

    name: str
    args: tuple[str, ...]


@dataclass(frozen=True)
class Runners:
    """The runners that work with the board, and the one to use unless told otherwise."""

    default: str
    entries: tuple[RunnerConfig, ...]


@dataclass(frozen=True)
class Emulation:
    """The QEMU machine, its CPU where it has a choice, and the virtual nanoseconds that its
    counter takes per tick."""

    machine: str
    cpu: str | None
    ns_per_tick: float


@dataclass(frozen=True)
class Board:
    """Everything that the build and the runners know about a board."""

    name: str
    title: str
    vendor: str
    soc: str
    aliases: tuple[str, ...]
    boot: str | None
    startup: str
    cpu: Cpu
    clock: Clock
    counter: str
    toolchain: Toolchain
    cflags: tuple[str, ...]
    ldflags: tuple[str, ...]
    memory: Memory
    pools: tuple[BoardPool, ...]
    stack_bytes: int
    uf2_family: int | None
    console: Console
    runners: Runners
    emulation: Emulation | None
    timeout_multiplier: float

    def ir_pools(self) -> tuple[Pool, ...]:
        """The pools as the planner sees them, in the file's order: the first is preferred."""
        return tuple(
            Pool(
                name=p.name,
                kind=p.kind,
                size_limit=self.pool_bytes(p),
                alignment=p.alignment,
                read_only=self.memory.region(p.region).access == "rx",
                section=self.pool_section(p),
                read_bandwidth=p.read_bandwidth,
                write_bandwidth=p.write_bandwidth,
                read_latency=p.read_latency,
                write_latency=p.write_latency,
            )
            for p in self.pools
        )

    def pool_bytes(self, pool: BoardPool) -> int:
        """The most that ``pool`` may hold: its own limit, or what its region has room for."""
        room = self.memory.room(self.memory.region(pool.region), self.stack_bytes)
        return room if pool.size_limit is None else min(pool.size_limit, room)

    def pool_section(self, pool: BoardPool) -> str:
        """The linker section that places an object in ``pool``; none on the host."""
        if self.toolchain.is_native:
            return ""
        flash = self.memory.region(pool.region).access == "rx"
        return f".rodata.pool_{pool.name}" if flash else f".pool_{pool.name}"

    def distant_constants(self) -> tuple[BoardPool, ...]:
        """The pools in read-only regions other than the code's, which raw images leave out."""
        return tuple(
            p
            for p in self.pools
            if p.region != self.memory.code and self.memory.region(p.region).access == "rx"
        )

    def digest(self) -> str:
        """SHA-256 over every field, 64 hex digits: equal for equal boards on every machine."""
        fields = json.dumps(asdict(self), sort_keys=True, default=_plain)
        return hashlib.sha256(fields.encode()).hexdigest()


def _plain(value: object) -> object:
    assert isinstance(value, Enum), "asdict leaves only enumerations unencodable"
    return value.value
