"""TIR statements as C."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from aot.codegen.c_expr import ExprPrinter
from aot.codegen.c_types import c_type, scalar_type
from aot.codegen.errors import NotPrintableError
from aot.codegen.layout import wrapped
from aot.ir.expr import Binary, BinaryOp, Buffer
from aot.ir.tir import (
    AllocateConst,
    Assign,
    CallingConvention,
    DeviceHook,
    Evaluate,
    For,
    ForKind,
    If,
    Invoke,
    Let,
    Local,
    PoolView,
    PrimFunc,
    Seq,
    Stmt,
    Store,
)
from aot.ir.types import DType
from aot.ir.visitor import accessed, walk

# Where `x = x op y` is printed as `x op= y`; types narrower than int are left out, whose results
# a cast brings back.
_COMPOUND_OPS = (BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL)
_COMPOUND_TYPES = (
    DType.INT32,
    DType.UINT32,
    DType.INT64,
    DType.FLOAT32,
    DType.FLOAT64,
)


@dataclass(frozen=True)
class StatementPrinter:
    """Statements of one function of ``prefix``; ``read_only`` are buffers that it may not write,
    ``used`` those that it declares or takes and then uses.

    A device hook that fails returns ``device_error`` from the function; no other hook follows.
    """

    prefix: str
    functions: Mapping[str, PrimFunc]
    expressions: ExprPrinter
    read_only: frozenset[str]
    used: frozenset[str]
    device_error: str

    def lines(self, seq: Seq, indent: str = "  ") -> Iterator[str]:
        """The statements of ``seq``, one line each."""
        for statement in seq.body:
            yield from self._statement(statement, indent)

    def _statement(self, s: Stmt, indent: str) -> Iterator[str]:
        text = self.expressions.text
        if isinstance(s, For):
            yield from self._loop(s, indent)
        elif isinstance(s, If):
            yield from self._if(s, indent)
        elif isinstance(s, Let):
            yield f"{indent}const {scalar_type(s.var.type)} {s.var.name} = {text(s.value)};"
        elif isinstance(s, Local):
            yield f"{indent}{scalar_type(s.var.type)} {s.var.name} = {text(s.value)};"
        elif isinstance(s, Assign):
            yield f"{indent}{self._assignment(s)};"
        elif isinstance(s, Store):
            symbol = self.expressions.symbol(s.buffer)
            yield f"{indent}{symbol}[{text(s.index)}] = {self.expressions.stored(s.value)};"
        elif isinstance(s, Evaluate):
            yield f"{indent}(void){text(s.value)};"
        elif isinstance(s, PoolView):
            if s.buffer.name in self.used:
                yield f"{indent}{self._view(s)}"
        elif isinstance(s, Invoke):
            yield from self._invoke(s, indent)
        elif isinstance(s, DeviceHook):
            call = f"{self.prefix}_{s.device.name}_{s.kind.value}({s.device.name})"
            yield f"{indent}if ({call} != 0) {{"
            yield f"{indent}  return {self.device_error};"
            yield f"{indent}}}"
        elif not isinstance(s, AllocateConst):
            raise NotPrintableError(
                f"{type(s).__name__} has no C form", remedy="run the USMP passes first"
            )

    def _assignment(self, s: Assign) -> str:
        text, name, value = self.expressions.text, s.var.name, s.value
        compound = (
            isinstance(value, Binary)
            and value.a == s.var
            and value.op in _COMPOUND_OPS
            and value.dtype in _COMPOUND_TYPES
        )
        if compound and isinstance(value, Binary):
            return f"{name} {value.op.value}= {text(value.b)}"
        return f"{name} = {text(value)}"

    def _loop(self, s: For, indent: str) -> Iterator[str]:
        if s.kind is ForKind.PARALLEL:
            raise NotPrintableError(
                f"the loop over `{s.var.name}` is parallel",
                remedy="run ConvertForLoopsToSerial first",
            )
        text, name = self.expressions.text, s.var.name
        step = f"++{name}" if s.step == 1 else f"{name} += {s.step}"
        head = f"{c_type(s.var.type)} {name} = {text(s.start)}; {name} < {text(s.stop)}; {step}"
        yield f"{indent}for ({head}) {{"
        yield from self.lines(s.body, f"{indent}  ")
        yield f"{indent}}}"

    def _if(self, s: If, indent: str) -> Iterator[str]:
        yield f"{indent}if ({self.expressions.text(s.condition)}) {{"
        yield from self.lines(s.then, f"{indent}  ")
        if s.otherwise is not None:
            yield f"{indent}}} else {{"
            yield from self.lines(s.otherwise, f"{indent}  ")
        yield f"{indent}}}"

    def _view(self, s: PoolView) -> str:
        kind = pointer(s.buffer, s.pool.name in self.read_only)
        place = in_pool(self.expressions.symbol(s.pool), s.offset)
        return f"{kind}const {s.buffer.name} = {aligned(kind, place)};"

    def _invoke(self, s: Invoke, indent: str) -> Iterator[str]:
        callee = self.functions[s.function]
        args = [self.expressions.symbol(b) for b in s.args]
        name = f"{self.prefix}_{s.function}"
        if callee.convention is CallingConvention.UNPACKED:
            yield from wrapped(f"{indent}{name}(", args, ");")
            return
        # The trailing underscore keeps it apart from every buffer.
        items = [f"(void *){a}" for a in args] or ["NULL"]
        yield f"{indent}{{"
        yield from wrapped(f"{indent}  void *const args_[] = {{", items, "};")
        yield f"{indent}  {name}(args_);"
        yield f"{indent}}}"


def pointer(buffer: Buffer, read_only: bool) -> str:
    """The type of a pointer to the elements of ``buffer``."""
    return f"{'const ' if read_only else ''}{c_type(buffer.dtype)} *"


def in_pool(pool: str, offset: int) -> str:
    """The byte at ``offset`` of ``pool``, as an operand of a cast."""
    return f"({pool} + {offset})" if offset else pool


def aligned(kind: str, place: str) -> str:
    """``place``, bytes that the planner aligned, as the pointer type ``kind``; by way of void so
    that compilers do not warn about alignment."""
    const = "const " if kind.startswith("const ") else ""
    return f"({kind})({const}void *){place}"


def used_buffers(body: Seq) -> frozenset[str]:
    """The names of the buffers that ``body`` uses, and of the pools and devices that it needs
    for that."""
    statements = list(walk(body))
    used = {b.name for s in statements for b in accessed(s)}
    used |= {s.device.name for s in statements if isinstance(s, DeviceHook)}
    used |= {s.pool.name for s in statements if isinstance(s, PoolView) and s.buffer.name in used}
    return frozenset(used)
