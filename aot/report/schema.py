"""The report as data: the fields of report.json, version ``SCHEMA``.

The file is the JSON object of ``Report``: keys are the names of the fields, sorted; tuples are
arrays, nested dataclasses objects, None is null. Bytes are counted as ``bytes`` or by a name that
says so. It holds no time stamps and no paths, so equal builds give equal files. A field that
changes its meaning or goes away raises ``SCHEMA``; a new field does not.
"""

from __future__ import annotations

from dataclasses import dataclass

SCHEMA = 1


@dataclass(frozen=True)
class Region:
    """Bytes of a memory region in use, and its size; ``access`` is rx or rw."""

    name: str
    access: str
    bytes: int
    limit: int


@dataclass(frozen=True)
class PoolNeed:
    """What a firmware plans to take of a pool.

    The models run one at a time and share the workspace pools, so such a pool takes what its
    largest model does; constants add up. ``region`` and ``section``, the section of the linked
    image, are empty on the host, ``limit`` None where there is none.
    """

    name: str
    kind: str
    region: str
    section: str
    bytes: int
    limit: int | None


@dataclass(frozen=True)
class Stack:
    """The stack that a board reserves in a region, which is empty on the host."""

    region: str
    bytes: int


@dataclass(frozen=True)
class Section:
    """An allocated section of the linked image; ``planned`` is what it was meant to hold, None
    where nothing says."""

    name: str
    address: int
    bytes: int
    planned: int | None


@dataclass(frozen=True)
class Memory:
    """The linked image: bytes of flash and of RAM, stack included, and what they are made of."""

    flash: int
    ram: int
    regions: tuple[Region, ...]
    pools: tuple[PoolNeed, ...]
    stack: Stack
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class Shape:
    """Element type and shape of an operand or result."""

    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class InterfaceTensor:
    """An input or output: C identifier, the model's own name for it, type, and place.

    ``scales`` and ``zero_points`` are empty where it is not quantized; ``pool`` and ``offset`` are
    None where the caller owns the buffer.
    """

    name: str
    tensor: str
    dtype: str
    shape: tuple[int, ...]
    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    bytes: int
    pool: str | None
    offset: int | None


@dataclass(frozen=True)
class ModelPool:
    """What one model plans to take of a pool; ``section`` is the linker's input section."""

    name: str
    kind: str
    section: str
    read_only: bool
    bytes: int
    limit: int | None


@dataclass(frozen=True)
class Buffer:
    """A rectangle of the memory map: a planned buffer of ``function``.

    ``tensor`` is the model's name for its contents, None for a kernel's own scratch. ``live`` are
    the closed intervals of steps during which the contents matter. In a pool that the linker
    fills, a read-only one, ``offset`` is where the plan counts it.
    """

    function: str
    name: str
    tensor: str | None
    pool: str
    offset: int
    bytes: int
    live: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Operator:
    """A call of the model, in execution order.

    ``operator`` is what was lowered and ``origin`` the operator of the model it came from,
    ``tensor`` the model's name for its result. ``strategy`` lowered it to the function
    ``kernel``; ``reason`` says why that strategy. ``weight_bytes`` are the constants it reads,
    ``live_bytes`` the workspace live during the call, largest where ``peak`` is set.
    """

    index: int
    step: int
    operator: str
    origin: str
    tensor: str
    kernel: str
    strategy: str
    reason: str
    inputs: tuple[Shape, ...]
    constants: tuple[Shape, ...]
    outputs: tuple[Shape, ...]
    macs: int
    weight_bytes: int
    live_bytes: int
    peak: bool


@dataclass(frozen=True)
class Measurement:
    """What a test on the board measured of a model: ticks of one inference at ``hz``, bytes of
    stack and of each workspace pool that were written, and ticks per operator where known."""

    ticks: int
    hz: int
    stack_bytes: int
    pools: dict[str, int]
    operator_ticks: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Model:
    """A model of the firmware: provenance, interface, memory plan and operators.

    ``workspace``, ``io`` and the others down to ``code_estimate`` are bytes and mean what they
    mean in <model>.json. ``steps`` counts the program points of the memory map; ``measured`` is
    None where no test ran on this build.
    """

    name: str
    file: str
    sha256: str
    target: str
    planner: str
    options: tuple[str, ...]
    inputs: tuple[InterfaceTensor, ...]
    outputs: tuple[InterfaceTensor, ...]
    pools: tuple[ModelPool, ...]
    buffers: tuple[Buffer, ...]
    operators: tuple[Operator, ...]
    steps: int
    macs: int
    weights: int
    workspace: int
    workspace_with_io: int | None
    io: int
    io_outside_pools: int
    lower_bound: int
    code_estimate: int
    measured: Measurement | None = None


@dataclass(frozen=True)
class Report:
    """A firmware: ``compiler`` is this package's version, ``toolchain`` the C compiler's kind."""

    schema: int
    board: str
    build_id: str
    compiler: str
    toolchain: str
    memory: Memory
    models: tuple[Model, ...]
