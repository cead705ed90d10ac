"""Rules of TIR statements: scopes, types, what may be written, and calls that fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from aot.ir.expr import Buffer, Imm
from aot.ir.intrinsics import IntrinsicSignature
from aot.ir.tir import (
    Allocate,
    AllocateConst,
    Assign,
    DeviceHook,
    Evaluate,
    For,
    ForKind,
    If,
    Invoke,
    Let,
    Local,
    Param,
    ParamRole,
    PoolView,
    PrimFunc,
    Seq,
    Stmt,
    Store,
)
from aot.ir.types import DType
from aot.ir.verify_errors import (
    ConstantDataError,
    DuplicateNameError,
    LoopError,
    MutabilityError,
    OperandTypeError,
    OutOfBoundsError,
    RoleError,
    StageError,
    UndefinedError,
)
from aot.ir.verify_expr import Scope

_READ_ONLY = (ParamRole.INPUT, ParamRole.CONSTANT, ParamRole.CONSTANT_POOL)
_POOLS = (ParamRole.WORKSPACE_POOL, ParamRole.CONSTANT_POOL)


def verify_prim_func(
    function: PrimFunc,
    functions: Mapping[str, PrimFunc],
    intrinsics: Mapping[str, IntrinsicSignature],
) -> None:
    """Raises a VerificationError where ``function`` breaks a rule; ``functions`` are its
    callees."""
    where = f"function {function.name}"
    _Check(function, functions, Scope(where, intrinsics), where).run()


@dataclass
class _Check:
    function: PrimFunc
    functions: Mapping[str, PrimFunc]
    scope: Scope
    where: str
    roles: dict[str, ParamRole] = field(default_factory=dict)
    read_only: set[str] = field(default_factory=set)
    mutable: set[str] = field(default_factory=set)
    parallel: int = 0

    def run(self) -> None:
        names: set[str] = set()
        for param in self.function.params:
            if param.name in names:
                raise DuplicateNameError(f"two parameters `{param.name}`", where=self.where)
            names.add(param.name)
            self._declare(param.buffer, read_only=param.role in _READ_ONLY)
            self.roles[param.buffer.name] = param.role
        self._seq(self.function.body)

    def _declare(self, buffer: Buffer, read_only: bool = False) -> None:
        self.scope.declare(buffer)
        if read_only:
            self.read_only.add(buffer.name)

    def _seq(self, seq: Seq) -> None:
        """Declarations end with the sequence."""
        buffers, variables = self.scope.buffers, self.scope.variables
        before = len(buffers), len(variables)
        for statement in seq.body:
            self._statement(statement)
        while len(buffers) > before[0]:
            buffers.popitem()
        while len(variables) > before[1]:
            variables.popitem()

    def _statement(self, s: Stmt) -> None:
        scope = self.scope
        if isinstance(s, Store):
            scope.element(s.buffer, s.index)
            self._write(s.buffer, "writes")
            scope.expect(s.value, s.buffer.dtype)
        elif isinstance(s, Assign):
            scope.use_variable(s.var)
            if s.var.name not in self.mutable:
                raise MutabilityError(
                    f"assigns `{s.var.name}`, which is no Local", where=self.where
                )
            scope.expect(s.value, s.var.type)
        elif isinstance(s, Let | Local):
            scope.expect(s.value, s.var.type)
            scope.declare(s.var)
            if isinstance(s, Local):
                self.mutable.add(s.var.name)
        elif isinstance(s, For):
            self._loop(s)
        elif isinstance(s, If):
            scope.expect(s.condition, DType.BOOL)
            self._seq(s.then)
            if s.otherwise is not None:
                self._seq(s.otherwise)
        elif isinstance(s, Evaluate):
            scope.dtype(s.value)
        elif isinstance(s, Allocate):
            self._declare(s.buffer)
        elif isinstance(s, AllocateConst):
            self._constant(s)
        elif isinstance(s, PoolView):
            self._view(s)
        elif isinstance(s, Invoke):
            self._invoke(s)
        elif isinstance(s, DeviceHook):
            scope.use(s.device)
            if self.roles.get(s.device.name) is not ParamRole.DEVICE:
                raise RoleError(f"`{s.device.name}` is no device", where=self.where)
        else:
            raise StageError(f"{type(s).__name__} inside a sequence", where=self.where)

    def _write(self, buffer: Buffer, how: str) -> None:
        if buffer.name in self.read_only:
            raise MutabilityError(
                f"{how} `{buffer.name}`, which is only to be read", where=self.where
            )

    def _loop(self, s: For) -> None:
        over = f"loop over `{s.var.name}`"
        if s.step < 1:
            raise LoopError(f"{over} has step {s.step}", where=self.where)
        if s.var.type is not DType.INT32:
            raise OperandTypeError(f"{over} counts in {s.var.type.value}", where=self.where)
        self.scope.expect(s.start, DType.INT32)
        self.scope.expect(s.stop, DType.INT32)
        parallel = s.kind is ForKind.PARALLEL
        if parallel and not (isinstance(s.start, Imm) and isinstance(s.stop, Imm)):
            raise LoopError(f"parallel {over} needs bounds known to the compiler", where=self.where)
        self.scope.declare(s.var)
        self.parallel += parallel
        self._seq(s.body)
        self.parallel -= parallel
        del self.scope.variables[s.var.name]

    def _constant(self, s: AllocateConst) -> None:
        if (s.data.shape, s.data.dtype) != (s.buffer.type.shape, s.buffer.dtype):
            raise ConstantDataError(f"`{s.buffer.name}` holds another type", where=self.where)
        if len(s.data.raw) != s.buffer.type.bytes:
            raise ConstantDataError(
                f"`{s.buffer.name}` has {len(s.data.raw)} bytes of {s.buffer.type.bytes}",
                where=self.where,
            )
        self._declare(s.buffer, read_only=True)

    def _view(self, s: PoolView) -> None:
        if self.parallel:
            raise StageError(
                f"`{s.buffer.name}` is one view for all turns of a parallel loop", where=self.where
            )
        self.scope.use(s.pool)
        if self.roles.get(s.pool.name) not in _POOLS:
            raise RoleError(f"`{s.pool.name}` is no pool", where=self.where)
        if not 0 <= s.offset <= s.pool.type.bytes - s.buffer.type.bytes:
            raise OutOfBoundsError(
                f"`{s.buffer.name}` at {s.offset} ends beyond `{s.pool.name}`", where=self.where
            )
        self._declare(s.buffer, read_only=s.pool.name in self.read_only)

    def _invoke(self, s: Invoke) -> None:
        callee = self.functions.get(s.function)
        if callee is None:
            raise UndefinedError(f"there is no function `{s.function}`", where=self.where)
        if len(callee.params) != len(s.args):
            raise OperandTypeError(
                f"passes {len(s.args)} buffers to `{s.function}`, which takes {len(callee.params)}",
                where=self.where,
            )
        for buffer, param in zip(s.args, callee.params, strict=True):
            self.scope.use(buffer)
            self._argument(buffer, param, s.function)

    def _argument(self, buffer: Buffer, param: Param, function: str) -> None:
        takes, given = param.buffer.type, buffer.type
        if (takes.dtype, takes.elements) != (given.dtype, given.elements):
            raise OperandTypeError(
                f"passes `{buffer.name}` as `{param.name}` of `{function}`, another type",
                where=self.where,
            )
        if param.role not in _READ_ONLY:
            self._write(buffer, f"lets `{function}` write")
        if param.role in (*_POOLS, ParamRole.DEVICE):
            role = self.roles.get(buffer.name)
            if role is not param.role:
                raise RoleError(
                    f"passes `{buffer.name}` as `{param.name}` of `{function}`, "
                    f"a {param.role.value}",
                    where=self.where,
                )
