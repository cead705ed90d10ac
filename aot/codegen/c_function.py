"""PrimFuncs as static C functions, with the helpers and intrinsics that they use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from string import Template

from aot.codegen.c_expr import ExprPrinter, helper
from aot.codegen.c_stmt import StatementPrinter, pointer
from aot.ir.expr import Binary, BinaryOp, Buffer, Intrinsic
from aot.ir.intrinsics import IntrinsicDefinition
from aot.ir.tir import AllocateConst, CallingConvention, ParamRole, PoolView, PrimFunc
from aot.ir.types import DType
from aot.ir.visitor import expressions, walk, walk_expr

READ_ONLY = (ParamRole.INPUT, ParamRole.CONSTANT, ParamRole.CONSTANT_POOL)


def constant_symbol(prefix: str, function: str, entry: str, buffer: Buffer) -> str:
    """The global name of a constant that ``function`` declares."""
    owner = "" if function == entry else f"{function}_"
    return f"{prefix}_const_{owner}{buffer.name}"


def statement_printer(
    function: PrimFunc, functions: Mapping[str, PrimFunc], prefix: str, entry: str
) -> StatementPrinter:
    """The printer for the body of ``function``."""
    constants: dict[str, str] = {}
    read_only = {p.buffer.name for p in function.params if p.role in READ_ONLY}
    for s in walk(function.body):
        if isinstance(s, AllocateConst):
            constants[s.buffer.name] = constant_symbol(prefix, function.name, entry, s.buffer)
        elif isinstance(s, PoolView) and s.pool.name in read_only:
            read_only.add(s.buffer.name)

    def symbol(buffer: Buffer) -> str:
        return constants.get(buffer.name, buffer.name)

    return StatementPrinter(
        prefix,
        functions,
        ExprPrinter(prefix, symbol),
        frozenset({*read_only, *constants}),
        f"{prefix.upper()}_ERROR_DEVICE",
    )


def kernel(
    function: PrimFunc, functions: Mapping[str, PrimFunc], prefix: str, entry: str
) -> Iterator[str]:
    """A static function for an operator, with a comment that says which."""
    printer = statement_printer(function, functions, prefix, entry)
    if function.info is not None:
        yield f"/* {function.info.operator}, strategy {function.info.strategy} */"
    name = f"{prefix}_{function.name}"
    if function.convention is CallingConvention.PACKED:
        yield f"static void {name}(void *const *args) {{"
        for i, param in enumerate(function.params):
            kind = pointer(param.buffer, param.role in READ_ONLY)
            yield f"  {kind}const {param.buffer.name} = ({kind})args[{i}];"
    else:
        params = [
            f"{pointer(p.buffer, p.role in READ_ONLY)}{p.buffer.name}" for p in function.params
        ]
        yield f"static void {name}({', '.join(params) or 'void'}) {{"
    yield from printer.lines(function.body)
    yield "}"


def definitions(
    functions: Sequence[PrimFunc], intrinsics: Sequence[IntrinsicDefinition], prefix: str
) -> Iterator[str]:
    """The helpers and intrinsics that ``functions`` use, those that others call first."""
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
    names = {name: f"{prefix}_{name}" for name in table}
    needed: set[str] = set()
    for name in used:
        needed |= _closure(name, table)
    for definition in intrinsics:
        if definition.signature.name in needed:
            yield Template(definition.c).substitute(names)


def _closure(name: str, table: Mapping[str, IntrinsicDefinition]) -> set[str]:
    found = {name}
    for other in table[name].requires:
        found |= _closure(other, table)
    return found
