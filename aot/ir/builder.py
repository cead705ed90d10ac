"""Builds the body of a PrimFunc statement by statement, with Python blocks for scopes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from aot.ir.expr import Buffer, Expr, Imm, Intrinsic, Scalar, Var, imm
from aot.ir.tir import Assign, Evaluate, For, ForKind, If, Let, Local, Seq, Stmt, Store
from aot.ir.types import DType


def _as_expr(value: Scalar, dtype: DType) -> Expr:
    return value if isinstance(value, Expr) else imm(value, dtype)


class BodyBuilder:
    """Collects statements; ``loop`` and ``when`` open nested scopes.

    Names are made unique in the function by a numeric suffix.
    """

    def __init__(self) -> None:
        self._scopes: list[list[Stmt]] = [[]]
        self._names: dict[str, int] = {}

    def body(self) -> Seq:
        """Everything emitted so far."""
        assert len(self._scopes) == 1, "a scope is still open"
        return Seq(tuple(self._scopes[0]))

    def emit(self, statement: Stmt) -> None:
        self._scopes[-1].append(statement)

    def fresh(self, name: str) -> str:
        """``name``, or ``name_2``, ``name_3``, ... where it is taken."""
        count = self._names.get(name, 0) + 1
        self._names[name] = count
        return name if count == 1 else self.fresh(f"{name}_{count}")

    @contextmanager
    def _scope(self) -> Iterator[list[Stmt]]:
        statements: list[Stmt] = []
        self._scopes.append(statements)
        yield statements
        self._scopes.pop()

    @contextmanager
    def loop(
        self,
        name: str,
        start: Scalar,
        stop: Scalar,
        step: int = 1,
        kind: ForKind = ForKind.SERIAL,
    ) -> Iterator[Expr]:
        """A For of int32; yields its index. A loop of one known turn becomes its body."""
        first, last = _as_expr(start, DType.INT32), _as_expr(stop, DType.INT32)
        single = (
            isinstance(first, Imm)
            and isinstance(last, Imm)
            and 0 < last.value - first.value <= step
        )
        if single:
            yield first
            return
        var = Var(self.fresh(name), DType.INT32)
        with self._scope() as statements:
            yield var
        self.emit(For(var, first, last, Seq(tuple(statements)), kind, step))

    @contextmanager
    def when(self, condition: Expr) -> Iterator[None]:
        """An If without an else."""
        with self._scope() as statements:
            yield
        self.emit(If(condition, Seq(tuple(statements))))

    def let(self, name: str, value: Expr) -> Expr:
        """Names a value that is used more than once; an immediate or variable stays itself."""
        if isinstance(value, Imm | Var):
            return value
        var = Var(self.fresh(name), value.dtype)
        self.emit(Let(var, value))
        return var

    def local(self, name: str, value: Scalar, dtype: DType = DType.INT32) -> Var:
        """A mutable scalar with a first value."""
        initial = _as_expr(value, dtype)
        var = Var(self.fresh(name), initial.dtype)
        self.emit(Local(var, initial))
        return var

    def assign(self, var: Var, value: Scalar) -> None:
        self.emit(Assign(var, _as_expr(value, var.dtype)))

    def store(self, buffer: Buffer, index: Scalar, value: Scalar) -> None:
        """Writes one element; ``index`` is flat."""
        self.emit(Store(buffer, _as_expr(index, DType.INT32), _as_expr(value, buffer.dtype)))

    def evaluate(self, intrinsic: Intrinsic) -> None:
        self.emit(Evaluate(intrinsic))
