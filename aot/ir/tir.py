"""TIR statements and functions: what codegen prints.

Let, Local, Allocate, AllocateConst and PoolView declare a name for the rest of the Seq that
they stand in, as C declarations do.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from aot.ir.expr import Buffer, Expr, Intrinsic, Var
from aot.ir.target import Target
from aot.ir.types import Data


class ForKind(Enum):
    SERIAL = "serial"
    PARALLEL = "parallel"
    UNROLLED = "unrolled"
    VECTORIZED = "vectorized"


class ParamRole(Enum):
    """What a parameter of a PrimFunc is for."""

    INPUT = "input"
    OUTPUT = "output"
    CONSTANT = "constant"
    WORKSPACE_POOL = "workspace_pool"
    CONSTANT_POOL = "constant_pool"
    DEVICE = "device"


class CallingConvention(Enum):
    """UNPACKED passes one pointer per parameter, PACKED one array of pointers."""

    UNPACKED = "unpacked"
    PACKED = "packed"


class HookKind(Enum):
    """The life of a device around the calls that use it (TVM's C device API)."""

    ACTIVATE = "activate"
    OPEN = "open"
    CLOSE = "close"
    DEACTIVATE = "deactivate"


class Stmt:
    """Any statement."""


@dataclass(frozen=True)
class Seq(Stmt):
    """Statements in order; a scope of declarations."""

    body: tuple[Stmt, ...]


@dataclass(frozen=True)
class For(Stmt):
    """``body`` for ``var`` = start, start + step, ... below ``stop``."""

    var: Var
    start: Expr
    stop: Expr
    body: Seq
    kind: ForKind = ForKind.SERIAL
    step: int = 1


@dataclass(frozen=True)
class If(Stmt):
    condition: Expr
    then: Seq
    otherwise: Seq | None = None


@dataclass(frozen=True)
class Let(Stmt):
    """Declares ``var`` with a value that never changes."""

    var: Var
    value: Expr


@dataclass(frozen=True)
class Local(Stmt):
    """Declares ``var``, a scalar that Assign may change: accumulators, running maxima."""

    var: Var
    value: Expr


@dataclass(frozen=True)
class Assign(Stmt):
    """Changes a Local."""

    var: Var
    value: Expr


@dataclass(frozen=True)
class Store(Stmt):
    """Writes one element of ``buffer`` at a flat int32 index."""

    buffer: Buffer
    index: Expr
    value: Expr


@dataclass(frozen=True)
class Evaluate(Stmt):
    """An intrinsic for its effect."""

    value: Intrinsic


@dataclass(frozen=True)
class Interface:
    """An input or output tensor: its role (INPUT or OUTPUT), its public C identifier and the
    name it has in the model."""

    role: ParamRole
    name: str
    tensor: str = ""


@dataclass(frozen=True)
class Allocate(Stmt):
    """Declares a workspace buffer aligned to ``alignment`` bytes.

    ``candidates`` are the pools it may live in, best first, once AssignPoolInfo has run. ``io``
    marks an interface tensor that lives inside the pools. ``origin`` names the operator that
    writes the buffer.
    """

    buffer: Buffer
    alignment: int = 4
    candidates: tuple[str, ...] = ()
    io: Interface | None = None
    origin: str = ""


@dataclass(frozen=True)
class AllocateConst(Stmt):
    """Declares a constant buffer; ``candidates`` as for Allocate."""

    buffer: Buffer
    data: Data
    alignment: int = 4
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True)
class PoolView(Stmt):
    """Declares ``buffer`` at ``offset`` bytes into a pool parameter; ``io`` as for Allocate."""

    buffer: Buffer
    pool: Buffer
    offset: int
    io: Interface | None = None


@dataclass(frozen=True)
class Invoke(Stmt):
    """Calls a PrimFunc of the module with a buffer per parameter.

    ``live_bytes``, set by AnnotateUsedMemory, is the workspace live during the call. ``origin``
    names the operator of the model that the call stands for.
    """

    function: str
    args: tuple[Buffer, ...]
    live_bytes: int | None = None
    origin: str = ""


@dataclass(frozen=True)
class DeviceHook(Stmt):
    """Calls a hook of the device whose context pointer is ``device``; a failure ends the run."""

    device: Buffer
    kind: HookKind


@dataclass(frozen=True)
class Param:
    """A parameter: its C identifier, what it is for, the buffer it binds, and, for main's
    inputs and outputs, the tensor's name in the model."""

    name: str
    role: ParamRole
    buffer: Buffer
    tensor: str = ""


@dataclass(frozen=True)
class OperatorInfo:
    """Where a PrimFunc came from: the operator, its place in the model, the strategy that
    lowered it, and its multiply-accumulates. ``copies`` says that it only moves its input's
    bytes to its output, so that a call of it can be replaced by sharing the buffer."""

    operator: str
    origin: str
    strategy: str
    macs: int = 0
    copies: bool = False


@dataclass(frozen=True)
class PrimFunc:
    """A function of loops over buffers.

    ``io_bytes``, set by AnnotateUsedMemory on main, is the size of its interface tensors.
    """

    name: str
    params: tuple[Param, ...]
    body: Seq
    target: Target
    convention: CallingConvention = CallingConvention.UNPACKED
    info: OperatorInfo | None = None
    io_bytes: int | None = None

    def buffers(self, *roles: ParamRole) -> tuple[Buffer, ...]:
        """The parameters' buffers that have one of ``roles``, in order."""
        return tuple(p.buffer for p in self.params if p.role in roles)
