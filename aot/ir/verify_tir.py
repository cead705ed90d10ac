"""Rules of the loop level: scopes, types, and what may be written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from aot.ir.expr import (
    Address,
    Binary,
    BinaryOp,
    Buffer,
    Compare,
    Expr,
    Imm,
    Intrinsic,
    Load,
    Select,
    Var,
)
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
    IntrinsicError,
    LoopError,
    MutabilityError,
    OperandTypeError,
    OutOfBoundsError,
    RecursiveCallError,
    StageError,
    UndefinedError,
)
from aot.ir.visitor import children

_BITWISE = (BinaryOp.AND, BinaryOp.OR, BinaryOp.XOR)
_INTEGER_ONLY = (BinaryOp.MOD, BinaryOp.SHL, BinaryOp.SHR, *_BITWISE)
_READ_ONLY = (ParamRole.INPUT, ParamRole.CONSTANT, ParamRole.CONSTANT_POOL)


def verify_prim_func(
    function: PrimFunc,
    functions: Mapping[str, PrimFunc],
    intrinsics: Mapping[str, IntrinsicSignature],
) -> None:
    """Raises a VerificationError where ``function`` breaks a rule."""
    _Check(function, functions, intrinsics).run()


@dataclass
class _Check:
    function: PrimFunc
    functions: Mapping[str, PrimFunc]
    intrinsics: Mapping[str, IntrinsicSignature]
    buffers: dict[str, Buffer] = field(default_factory=dict)
    read_only: set[str] = field(default_factory=set)
    variables: dict[str, tuple[Var, bool]] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    parallel: int = 0

    @property
    def where(self) -> str:
        return f"function {self.function.name}"

    def run(self) -> None:
        for param in self.function.params:
            self._declare_buffer(param.buffer, read_only=param.role in _READ_ONLY)
        self._seq(self.function.body)

    def _name(self, name: str) -> None:
        if name in self.names:
            raise DuplicateNameError(f"`{name}` is declared twice", where=self.where)
        self.names.add(name)

    def _declare_buffer(self, buffer: Buffer, read_only: bool = False) -> None:
        self._name(buffer.name)
        self.buffers[buffer.name] = buffer
        if read_only:
            self.read_only.add(buffer.name)

    def _declare_variable(self, var: Var, mutable: bool) -> None:
        self._name(var.name)
        self.variables[var.name] = (var, mutable)

    def _use(self, buffer: Buffer) -> None:
        if buffer.name not in self.buffers:
            raise UndefinedError(f"buffer `{buffer.name}` is not declared here", where=self.where)
        if self.buffers[buffer.name].type != buffer.type:
            raise OperandTypeError(f"buffer `{buffer.name}` changes its type", where=self.where)

    def _seq(self, seq: Seq) -> None:
        """Declarations end with the sequence; their names stay taken."""
        buffers, variables = dict(self.buffers), dict(self.variables)
        for statement in seq.body:
            self._statement(statement)
        self.buffers, self.variables = buffers, variables

    def _statement(self, s: Stmt) -> None:
        if isinstance(s, Store):
            self._store(s)
        elif isinstance(s, Assign):
            self._assign(s)
        elif isinstance(s, Let | Local):
            self._expr(s.value, s.var.type)
            self._declare_variable(s.var, isinstance(s, Local))
        elif isinstance(s, For):
            self._loop(s)
        elif isinstance(s, If):
            self._expr(s.condition, DType.BOOL)
            self._seq(s.then)
            if s.otherwise is not None:
                self._seq(s.otherwise)
        elif isinstance(s, Evaluate):
            self._expr(s.value, s.value.type)
        elif isinstance(s, Allocate):
            self._declare_buffer(s.buffer)
        elif isinstance(s, AllocateConst):
            self._constant(s)
        elif isinstance(s, PoolView):
            self._view(s)
        elif isinstance(s, Invoke):
            self._invoke(s)
        elif isinstance(s, DeviceHook):
            self._use(s.device)
        else:
            raise StageError(f"{type(s).__name__} is no statement of TIR", where=self.where)

    def _store(self, s: Store) -> None:
        self._use(s.buffer)
        if s.buffer.name in self.read_only:
            raise MutabilityError(
                f"writes `{s.buffer.name}`, which it only reads", where=self.where
            )
        self._index(s.buffer, s.index)
        self._expr(s.value, s.buffer.dtype)

    def _assign(self, s: Assign) -> None:
        known = self.variables.get(s.var.name)
        if known is None:
            raise UndefinedError(f"variable `{s.var.name}` is not declared here", where=self.where)
        if not known[1]:
            raise MutabilityError(f"assigns `{s.var.name}`, which is no Local", where=self.where)
        self._expr(s.value, s.var.type)

    def _loop(self, s: For) -> None:
        if s.step < 1:
            raise LoopError(f"loop over `{s.var.name}` has step {s.step}", where=self.where)
        self._expr(s.start, s.var.type)
        self._expr(s.stop, s.var.type)
        parallel = s.kind is ForKind.PARALLEL
        if parallel and not (isinstance(s.start, Imm) and isinstance(s.stop, Imm)):
            raise LoopError(
                f"parallel loop over `{s.var.name}` needs bounds known to the compiler",
                where=self.where,
            )
        before = dict(self.variables)
        self._declare_variable(s.var, mutable=False)
        self.parallel += parallel
        self._seq(s.body)
        self.parallel -= parallel
        self.variables = before

    def _constant(self, s: AllocateConst) -> None:
        if (s.data.shape, s.data.dtype) != (s.buffer.type.shape, s.buffer.dtype):
            raise ConstantDataError(f"`{s.buffer.name}` holds another type", where=self.where)
        self._declare_buffer(s.buffer, read_only=True)

    def _view(self, s: PoolView) -> None:
        if self.parallel:
            raise StageError(
                f"`{s.buffer.name}` is one view for all turns of a parallel loop", where=self.where
            )
        self._use(s.pool)
        if not 0 <= s.offset <= s.pool.type.bytes - s.buffer.type.bytes:
            raise OutOfBoundsError(
                f"`{s.buffer.name}` at {s.offset} ends beyond `{s.pool.name}`", where=self.where
            )
        self._declare_buffer(s.buffer, read_only=s.pool.name in self.read_only)

    def _invoke(self, s: Invoke) -> None:
        callee = self.functions.get(s.function)
        if callee is None:
            raise UndefinedError(f"there is no function `{s.function}`", where=self.where)
        if len(callee.params) != len(s.args):
            raise OperandTypeError(
                f"passes {len(s.args)} buffers to `{s.function}`, which takes {len(callee.params)}",
                where=self.where,
            )
        self._check_recursion(s.function, (self.function.name,))
        for buffer, param in zip(s.args, callee.params, strict=True):
            self._use(buffer)
            takes, given = param.buffer.type, buffer.type
            if (takes.dtype, takes.elements) != (given.dtype, given.elements):
                raise OperandTypeError(
                    f"passes `{buffer.name}` as `{param.name}` of `{s.function}`, another type",
                    where=self.where,
                )
            writes = param.role not in _READ_ONLY
            if writes and buffer.name in self.read_only:
                raise MutabilityError(
                    f"lets `{s.function}` write `{buffer.name}`, which is only read",
                    where=self.where,
                )

    def _check_recursion(self, name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise RecursiveCallError(f"`{name}` calls itself", where=self.where)
        for s in self.functions[name].body.body:
            if isinstance(s, Invoke) and s.function in self.functions:
                self._check_recursion(s.function, (*path, name))

    def _index(self, buffer: Buffer, index: Expr) -> None:
        self._expr(index, DType.INT32)
        if isinstance(index, Imm) and not 0 <= index.value < buffer.type.elements:
            raise OutOfBoundsError(
                f"index {index.value} of `{buffer.name}`, which has {buffer.type.elements}",
                where=self.where,
            )

    def _expr(self, e: Expr, dtype: DType, address: bool = False) -> None:
        """Checks ``e``, which its place wants to be of ``dtype``."""
        if e.dtype is not dtype:
            raise OperandTypeError(f"{e.dtype.value} where {dtype.value} belongs", where=self.where)
        if isinstance(e, Var):
            known = self.variables.get(e.name)
            if known is None or known[0] != e:
                raise UndefinedError(f"variable `{e.name}` is not declared here", where=self.where)
        elif isinstance(e, Load | Address):
            if isinstance(e, Address) and not address:
                raise OperandTypeError("an address outside an intrinsic", where=self.where)
            self._use(e.buffer)
            self._index(e.buffer, e.index)
        elif isinstance(e, Binary):
            self._expr(e.a, dtype)
            self._expr(e.b, dtype)
            if (dtype.is_float and e.op in _INTEGER_ONLY) or (
                dtype is DType.BOOL and e.op not in _BITWISE
            ):
                raise OperandTypeError(f"{e.op.value} of {dtype.value}", where=self.where)
        elif isinstance(e, Compare):
            self._expr(e.a, e.a.dtype)
            self._expr(e.b, e.a.dtype)
        elif isinstance(e, Select):
            self._expr(e.condition, DType.BOOL)
            self._expr(e.a, dtype)
            self._expr(e.b, dtype)
        elif isinstance(e, Intrinsic):
            self._intrinsic(e)
        else:
            for child in children(e):
                self._expr(child, child.dtype)

    def _intrinsic(self, e: Intrinsic) -> None:
        signature = self.intrinsics.get(e.name)
        if signature is None:
            raise IntrinsicError(f"the target has no intrinsic `{e.name}`", where=self.where)
        given = tuple(None if isinstance(a, Address) else a.dtype for a in e.args)
        if (given, e.type) != (signature.params, signature.result):
            raise IntrinsicError(f"intrinsic `{e.name}` takes other operands", where=self.where)
        for arg in e.args:
            self._expr(arg, arg.dtype, address=True)
