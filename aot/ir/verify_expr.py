"""Rules of TIR expressions: what they refer to is in scope, and types fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from aot.ir.expr import (
    Address,
    Binary,
    BinaryOp,
    Buffer,
    Cast,
    Compare,
    Expr,
    Imm,
    Intrinsic,
    Load,
    Select,
    Var,
)
from aot.ir.intrinsics import IntrinsicSignature
from aot.ir.types import DType
from aot.ir.verify_errors import (
    DuplicateNameError,
    IntrinsicError,
    OperandTypeError,
    OutOfBoundsError,
    UndefinedError,
)

_BITWISE = (BinaryOp.AND, BinaryOp.OR, BinaryOp.XOR)
_INTEGER_ONLY = (BinaryOp.MOD, BinaryOp.SHL, BinaryOp.SHR, *_BITWISE)
_BOUNDS = {d: d.bounds for d in DType if d.is_integer} | {DType.BOOL: (0, 1)}


@dataclass
class Scope:
    """What one function has declared so far; checks the expressions that refer to it.

    ``where`` is the function's place in messages.
    """

    where: str
    intrinsics: Mapping[str, IntrinsicSignature]
    buffers: dict[str, Buffer] = field(default_factory=dict)
    variables: dict[str, Var] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)

    def declare(self, declared: Buffer | Var) -> None:
        """Names stay taken when their scope has ended, so that one means one thing."""
        if declared.name in self._taken:
            raise DuplicateNameError(f"`{declared.name}` is declared twice", where=self.where)
        self._taken.add(declared.name)
        if isinstance(declared, Buffer):
            self.buffers[declared.name] = declared
        else:
            self.variables[declared.name] = declared

    def use(self, buffer: Buffer) -> None:
        known = self.buffers.get(buffer.name)
        if known is buffer:
            return
        if known is None:
            raise UndefinedError(f"buffer `{buffer.name}` is not declared here", where=self.where)
        if known.type != buffer.type:
            raise OperandTypeError(f"buffer `{buffer.name}` changes its type", where=self.where)

    def use_variable(self, var: Var) -> None:
        known = self.variables.get(var.name)
        if known is None:
            raise UndefinedError(f"variable `{var.name}` is not declared here", where=self.where)
        if known.type is not var.type:
            raise OperandTypeError(f"variable `{var.name}` changes its type", where=self.where)

    def element(self, buffer: Buffer, index: Expr) -> None:
        """A flat index into a buffer."""
        self.use(buffer)
        self.expect(index, DType.INT32)
        if isinstance(index, Imm) and not 0 <= index.value < buffer.type.elements:
            raise OutOfBoundsError(
                f"index {index.value} of `{buffer.name}`, which has {buffer.type.elements}",
                where=self.where,
            )

    def expect(self, e: Expr, dtype: DType) -> None:
        """``e`` is right and of type ``dtype``."""
        actual = self.dtype(e)
        if actual is not dtype:
            raise OperandTypeError(f"{actual.value} where {dtype.value} belongs", where=self.where)

    def dtype(self, e: Expr) -> DType:
        """The type of ``e``, which is right."""
        if isinstance(e, Var):
            self.use_variable(e)
            return e.type
        if isinstance(e, Binary):
            return self._binary(e)
        if isinstance(e, Imm):
            self._immediate(e)
            return e.type
        if isinstance(e, Load):
            self.element(e.buffer, e.index)
            return e.buffer.type.dtype
        if isinstance(e, Compare):
            self.expect(e.b, self.dtype(e.a))
            return DType.BOOL
        if isinstance(e, Select):
            self.expect(e.condition, DType.BOOL)
            dtype = self.dtype(e.a)
            self.expect(e.b, dtype)
            return dtype
        if isinstance(e, Cast):
            self.dtype(e.value)
            return e.type
        if isinstance(e, Intrinsic):
            self._intrinsic(e)
            return e.type
        raise OperandTypeError(
            f"{type(e).__name__} of `{e.buffer.name}` outside an intrinsic"
            if isinstance(e, Address)
            else f"{type(e).__name__} is no expression of TIR",
            where=self.where,
        )

    def _immediate(self, e: Imm) -> None:
        bounds = _BOUNDS.get(e.type)
        fits = (
            isinstance(e.value, float)
            if bounds is None
            else isinstance(e.value, int) and bounds[0] <= e.value <= bounds[1]
        )
        if not fits:
            raise OperandTypeError(f"{e.value!r} is no {e.type.value}", where=self.where)

    def _binary(self, e: Binary) -> DType:
        dtype = self.dtype(e.a)
        self.expect(e.b, dtype)
        wrong = (dtype.is_float and e.op in _INTEGER_ONLY) or (
            dtype is DType.BOOL and e.op not in _BITWISE
        )
        if wrong:
            raise OperandTypeError(f"{e.op.value} of {dtype.value}", where=self.where)
        return dtype

    def _intrinsic(self, e: Intrinsic) -> None:
        signature = self.intrinsics.get(e.name)
        if signature is None:
            raise IntrinsicError(f"the target has no intrinsic `{e.name}`", where=self.where)
        given = tuple(self._operand(a) for a in e.args)
        if (given, e.type) != (signature.params, signature.result):
            raise IntrinsicError(
                f"intrinsic `{e.name}` is {_text(signature.params, signature.result)}, "
                f"not {_text(given, e.type)}",
                where=self.where,
            )

    def _operand(self, e: Expr) -> DType | None:
        """The type of an intrinsic's operand, None for an address."""
        if isinstance(e, Address):
            self.element(e.buffer, e.index)
            return None
        return self.dtype(e)


def _text(params: tuple[DType | None, ...], result: DType) -> str:
    taken = ", ".join("address" if p is None else p.value for p in params)
    return f"({taken}) -> {result.value}"
