"""TIR statements as C."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from aot.codegen.c_expr import ExprPrinter
from aot.codegen.c_types import c_type, scalar_type
from aot.errors import MicroaotError
from aot.ir.expr import Buffer
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


class NotPrintableError(MicroaotError):
    """A statement that a pass should have rewritten before code generation."""


@dataclass(frozen=True)
class StatementPrinter:
    """Statements of one function of ``prefix``; ``read_only`` are buffers that it may not write.

    A device hook that fails returns ``device_error`` from the function.
    """

    prefix: str
    functions: Mapping[str, PrimFunc]
    expressions: ExprPrinter
    read_only: frozenset[str]
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
            yield f"{indent}{s.var.name} = {text(s.value)};"
        elif isinstance(s, Store):
            symbol = self.expressions.symbol(s.buffer)
            yield f"{indent}{symbol}[{text(s.index)}] = {text(s.value)};"
        elif isinstance(s, Evaluate):
            yield f"{indent}(void){text(s.value)};"
        elif isinstance(s, PoolView):
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
        const = "const " if s.pool.name in self.read_only else ""
        kind = f"{const}{c_type(s.buffer.dtype)} *"
        pool = self.expressions.symbol(s.pool)
        place = f"({pool} + {s.offset})" if s.offset else pool
        return f"{kind}const {s.buffer.name} = ({kind})({const}void *){place};"

    def _invoke(self, s: Invoke, indent: str) -> Iterator[str]:
        callee = self.functions[s.function]
        args = [self.expressions.symbol(b) for b in s.args]
        name = f"{self.prefix}_{s.function}"
        if callee.convention is CallingConvention.UNPACKED:
            yield f"{indent}{name}({', '.join(args)});"
            return
        yield f"{indent}{{"
        yield f"{indent}  void *const args[] = {{{', '.join(f'(void *){a}' for a in args)}}};"
        yield f"{indent}  {name}(args);"
        yield f"{indent}}}"


def pointer(buffer: Buffer, read_only: bool) -> str:
    """The type of a pointer to the elements of ``buffer``."""
    return f"{'const ' if read_only else ''}{c_type(buffer.dtype)} *"
