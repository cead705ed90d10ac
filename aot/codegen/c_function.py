"""PrimFuncs as static C functions, with the helpers and intrinsics that they use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import Template

from aot.codegen.c_expr import ExprPrinter, helper
from aot.codegen.c_stmt import StatementPrinter, pointer, used_buffers
from aot.codegen.layout import wrapped
from aot.ir.expr import Binary, BinaryOp, Buffer, Intrinsic
from aot.ir.intrinsics import IntrinsicDefinition
from aot.ir.module import IRModule
from aot.ir.pools import BufferKey
from aot.ir.tir import AllocateConst, CallingConvention, ParamRole, PoolView, PrimFunc
from aot.ir.types import DType
from aot.ir.visitor import expressions, walk, walk_expr

READ_ONLY = (ParamRole.INPUT, ParamRole.CONSTANT, ParamRole.CONSTANT_POOL)


@dataclass(frozen=True)
class FunctionPrinter:
    """Functions of ``module``; ``constants`` are the global names of its constant arrays."""

    module: IRModule
    constants: Mapping[BufferKey, str]

    def statements(self, function: PrimFunc) -> StatementPrinter:
        """The printer for the body of ``function``."""
        prefix = self.module.name
        symbols: dict[str, str] = {}
        read_only = {p.buffer.name for p in function.params if p.role in READ_ONLY}
        for s in walk(function.body):
            if isinstance(s, AllocateConst):
                key = BufferKey(function.name, s.buffer.name)
                symbols[s.buffer.name] = self.constants[key]
            elif isinstance(s, PoolView) and s.pool.name in read_only:
                read_only.add(s.buffer.name)

        def symbol(buffer: Buffer) -> str:
            return symbols.get(buffer.name, buffer.name)

        return StatementPrinter(
            prefix,
            {f.name: f for f in self.module.prim_funcs},
            ExprPrinter(prefix, symbol),
            frozenset({*read_only, *symbols}),
            used_buffers(function.body),
            f"{prefix.upper()}_ERROR_DEVICE",
        )

    def kernel(self, function: PrimFunc) -> Iterator[str]:
        """A static function for an operator, with a comment that says which."""
        printer = self.statements(function)
        if function.info is not None:
            yield f"/* {function.info.operator}, strategy {function.info.strategy} */"
        packed = function.convention is CallingConvention.PACKED
        yield from _signature(f"{self.module.name}_{function.name}", function, packed)
        used = [p.buffer.name in printer.used for p in function.params]
        if packed and not any(used):
            yield "  (void)args_;"
        for i, param in enumerate(function.params):
            kind, name = pointer(param.buffer, param.role in READ_ONLY), param.buffer.name
            if packed and used[i]:
                yield f"  {kind}const {name} = ({kind})args_[{i}];"
            elif not packed and not used[i]:
                yield f"  (void){name};"
        yield from printer.lines(function.body)
        yield "}"


def _signature(name: str, function: PrimFunc, packed: bool) -> Iterator[str]:
    params = [f"{pointer(p.buffer, p.role in READ_ONLY)}{p.buffer.name}" for p in function.params]
    if packed:
        params = ["void *const *args_"]
    yield from wrapped(f"static void {name}(", params or ["void"], ") {")


def definitions(
    functions: Sequence[PrimFunc], intrinsics: Sequence[IntrinsicDefinition], prefix: str
) -> Iterator[str]:
    """The helpers and intrinsics that ``functions`` use, each after those that it calls."""
    limits: set[tuple[str, str]] = set()
    used: set[str] = set()
    for function in functions:
        for statement in walk(function.body):
            for root in expressions(statement):
                for e in walk_expr(root):
                    if isinstance(e, Intrinsic):
                        used.add(e.name)
                    elif isinstance(e, Binary) and e.op in (BinaryOp.MIN, BinaryOp.MAX):
                        limits.add((e.op.value, e.dtype.value))
    for op, dtype in sorted(limits):
        yield helper(prefix, BinaryOp(op), DType(dtype))
    table = {d.signature.name: d for d in intrinsics}
    ordered: dict[str, None] = {}
    for name in table:
        if name in used:
            _collect(name, table, ordered)
    names = {name: f"{prefix}_{name}" for name in table}
    for name in ordered:
        yield Template(table[name].c).substitute(names)


def _collect(name: str, table: Mapping[str, IntrinsicDefinition], ordered: dict[str, None]) -> None:
    """Adds ``name`` to ``ordered`` after everything that it requires."""
    for other in table[name].requires:
        _collect(other, table, ordered)
    ordered.setdefault(name)
