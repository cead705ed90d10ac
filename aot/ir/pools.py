"""Memory pools and the plan that places buffers in them (TVM USMP's vocabulary)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class PoolKind(Enum):
    """What a pool holds: intermediate tensors, or constants."""

    WORKSPACE = "workspace"
    CONSTANT = "constant"


@dataclass(frozen=True)
class Pool:
    """One region of memory that the planner may place buffers in.

    ``size_limit`` and ``alignment`` are bytes (no limit where ``size_limit`` is None). ``targets``
    restricts the pool to functions of the named targets (empty: any). ``read_only`` marks memory
    such as flash, whose contents the image provides; a constant pool elsewhere is filled by the
    generated init function. ``section`` is the linker section that backs the pool. Bandwidths are
    bytes per cycle and latencies cycles per access; planners may rank pools by them.
    """

    name: str
    kind: PoolKind
    size_limit: int | None = None
    alignment: int = 16
    targets: tuple[str, ...] = ()
    read_only: bool = False
    section: str = ""
    read_bandwidth: float | None = None
    write_bandwidth: float | None = None
    read_latency: float | None = None
    write_latency: float | None = None


@dataclass(frozen=True, order=True)
class BufferKey:
    """Names one allocation of a module: the PrimFunc it stands in and the buffer's name there."""

    function: str
    buffer: str

    def __str__(self) -> str:
        return f"{self.function}/{self.buffer}"


@dataclass(frozen=True)
class BufferInfo:
    """What a planner must know about one buffer.

    ``bytes`` and ``alignment`` are bytes, ``candidates`` the pools it may live in, best first.
    ``live`` are the closed intervals of program points during which its contents matter, and
    ``conflicts`` the keys, sorted, of every workspace buffer that is live at one of them.
    Constants are live throughout, so all of them conflict, and ``conflicts`` is left empty.
    ``origin`` names the operator that produces it, for messages.
    """

    key: BufferKey
    bytes: int
    alignment: int
    candidates: tuple[str, ...]
    live: tuple[tuple[int, int], ...]
    conflicts: tuple[BufferKey, ...]
    kind: PoolKind = PoolKind.WORKSPACE
    origin: str = ""


@dataclass(frozen=True)
class Assignment:
    """A buffer's place: ``offset`` bytes from the start of ``pool``, ``bytes`` long."""

    key: BufferKey
    pool: str
    offset: int
    bytes: int


@dataclass(frozen=True)
class PoolUse:
    """Bytes of a pool from its start to the end of its highest buffer."""

    pool: str
    bytes: int


@dataclass(frozen=True)
class MemoryPlan:
    """Where every planned buffer lives, sorted by key, and how much of every pool that takes."""

    algorithm: str
    assignments: tuple[Assignment, ...]
    used: tuple[PoolUse, ...]

    def bytes_used(self, pool: str) -> int:
        """Bytes of ``pool`` in use; 0 for a pool that holds nothing."""
        return next((u.bytes for u in self.used if u.pool == pool), 0)
