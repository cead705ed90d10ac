"""<model>.c: kernels, and the functions of the interface."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aot.analysis.executor_metadata import ExecutorMetadata
from aot.codegen.c_function import FunctionPrinter, definitions
from aot.codegen.c_stmt import aligned, in_pool, pointer
from aot.codegen.c_types import c_type
from aot.codegen.constants import constant_symbols
from aot.codegen.files import GeneratedFile
from aot.codegen.header import banner, map_signature, run_parameters
from aot.codegen.layout import wrapped
from aot.codegen.provenance import Provenance
from aot.ir.intrinsics import IntrinsicDefinition
from aot.ir.module import IRModule
from aot.ir.pools import BufferKey
from aot.ir.tir import ParamRole

# Arguments end in an underscore, as no buffer does that could be named like them.
_HOLDERS = {
    ParamRole.INPUT: "inputs_",
    ParamRole.OUTPUT: "outputs_",
    ParamRole.WORKSPACE_POOL: "workspace_pools_",
    ParamRole.CONSTANT_POOL: "constant_pools_",
    ParamRole.DEVICE: "devices_",
}


def source(
    module: IRModule,
    metadata: ExecutorMetadata,
    intrinsics: Sequence[IntrinsicDefinition],
    provenance: Provenance,
) -> GeneratedFile:
    """The source of a PLANNED module."""
    name, symbols = module.name, constant_symbols(module)
    printer = FunctionPrinter(module, symbols)
    lines = [
        *banner(provenance, f"The model {name}."),
        f'#include "{name}.h"',
        "",
        "#include <stddef.h>",
        "#include <string.h>",
        "",
        f'#include "{name}_data.h"',
        "",
        *definitions(module.prim_funcs, intrinsics, name),
    ]
    for function in module.prim_funcs:
        if function.name != module.entry:
            lines += [*printer.kernel(function), ""]
    if module.images:
        lines += [*_init(module, metadata, symbols), ""]
    lines += _maps(metadata)
    lines += _run(module, metadata, printer)
    return GeneratedFile(f"{name}.c", "\n".join(lines) + "\n")


def _run(module: IRModule, metadata: ExecutorMetadata, printer: FunctionPrinter) -> Iterator[str]:
    """The entry: checks of the arguments, local names for the tensors, then main's body."""
    name, upper, main = module.name, module.name.upper(), module.main
    statements = printer.statements(main)
    parameters = run_parameters(metadata)
    args = [f"const struct {struct} *{kind}_" for struct, kind in parameters]
    yield from wrapped(f"int32_t {name}_run(", args or ["void"], ") {")
    members = {p.name: f"{_HOLDERS[p.role]}->{p.name}" for p in main.params}
    pointers = [members[p.name] for p in main.params if p.role is not ParamRole.DEVICE]
    nulls = [f"{pointer} == NULL" for pointer in (*(f"{k}_" for _, k in parameters), *pointers)]
    yield from _check(nulls, f"{upper}_ERROR_NULL")
    misaligned = [
        f"(uintptr_t){members[p]} % {alignment}u != 0u"
        for p, alignment in _alignments(module, metadata)
        if alignment > 1
    ]
    yield from _check(misaligned, f"{upper}_ERROR_ALIGNMENT")
    for param in main.params:
        if param.buffer.name in statements.used:
            read_only = param.role in (ParamRole.INPUT, ParamRole.CONSTANT_POOL)
            kind = pointer(param.buffer, read_only)
            if param.role is ParamRole.DEVICE:
                kind = "void *"
            yield f"  {kind}const {param.buffer.name} = {members[param.name]};"
    yield from statements.lines(main.body)
    yield f"  return {upper}_OK;"
    yield "}"


def _check(failures: list[str], code: str) -> Iterator[str]:
    if failures:
        yield from wrapped("  if (", failures, ") {", separator=" || ", hanging=True)
        yield f"    return {code};"
        yield "  }"


def _alignments(module: IRModule, metadata: ExecutorMetadata) -> Iterator[tuple[str, int]]:
    """What must be aligned to how many bytes: pools as planned, interface tensors to their
    elements."""
    for param in module.main.params:
        if param.role in (ParamRole.INPUT, ParamRole.OUTPUT):
            yield param.name, param.buffer.dtype.bytes
    for info in (*metadata.workspace_pools, *metadata.constant_pools):
        yield info.name, info.pool.alignment


def _init(
    module: IRModule, metadata: ExecutorMetadata, symbols: dict[BufferKey, str]
) -> Iterator[str]:
    """Copies every image to its place."""
    name, upper = module.name, module.name.upper()
    members = {p.pool.name: f"constant_pools_->{p.name}" for p in metadata.constant_pools}
    yield f"int32_t {name}_init(const struct {name}_constant_pools *constant_pools_) {{"
    nulls = [f"{pointer} == NULL" for pointer in ("constant_pools_", *members.values())]
    yield from _check(nulls, f"{upper}_ERROR_NULL")
    for image in module.images:
        if image.data.raw:
            symbol = symbols[image.key]
            place = f"{members[image.pool]} + {image.offset}"
            yield from wrapped("  memcpy(", [place, symbol, f"sizeof {symbol}"], ");")
    yield f"  return {upper}_OK;"
    yield "}"


def _maps(metadata: ExecutorMetadata) -> Iterator[str]:
    """The functions that say where the interface tensors lie."""
    places = {a.name: a for a in metadata.io_allocations}
    for kind, tensors in (("inputs", metadata.inputs), ("outputs", metadata.outputs)):
        inside = [t for t in tensors if t.name in places]
        if not inside:
            continue
        yield from map_signature(metadata, kind, "_", " {")
        yield f"  struct {metadata.module_name}_{kind} map;"
        for tensor in inside:
            place = places[tensor.name]
            address = in_pool(f"workspace_pools_->{place.pool}", place.offset)
            yield f"  map.{tensor.name} = {aligned(f'{c_type(tensor.type.dtype)} *', address)};"
        yield "  return map;"
        yield "}"
        yield ""
