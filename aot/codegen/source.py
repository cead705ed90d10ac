"""<model>.c: kernels, and the functions of the interface."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aot.analysis.executor_metadata import ExecutorMetadata
from aot.codegen.c_function import definitions, kernel, statement_printer
from aot.codegen.c_types import c_type
from aot.codegen.data import image_symbol
from aot.codegen.files import GeneratedFile
from aot.codegen.header import banner, run_parameters
from aot.codegen.provenance import Provenance
from aot.ir.intrinsics import IntrinsicDefinition
from aot.ir.module import IRModule
from aot.ir.tir import ParamRole, PoolView
from aot.ir.visitor import accessed, walk


def source(
    module: IRModule,
    metadata: ExecutorMetadata,
    intrinsics: Sequence[IntrinsicDefinition],
    provenance: Provenance,
) -> GeneratedFile:
    """The source of a PLANNED module."""
    name = module.name
    functions = {f.name: f for f in module.prim_funcs}
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
            lines += [*kernel(function, functions, name, module.entry), ""]
    if module.images:
        lines += [*_init(module), ""]
    if metadata.io_allocations:
        lines += _maps(metadata)
    lines += _run(module, metadata)
    return GeneratedFile(f"{name}.c", "\n".join(lines) + "\n")


def _run(module: IRModule, metadata: ExecutorMetadata) -> Iterator[str]:
    """The entry: checks of the arguments, local names for the tensors, then main's body."""
    name, upper, main = module.name, module.name.upper(), module.main
    functions = {f.name: f for f in module.prim_funcs}
    printer = statement_printer(main, functions, name, module.entry)
    parameters = run_parameters(metadata)
    args = [f"const struct {struct} *{kind}_" for struct, kind in parameters]
    yield f"int32_t {name}_run({', '.join(args) or 'void'}) {{"
    holders = {
        ParamRole.INPUT: "inputs_",
        ParamRole.OUTPUT: "outputs_",
        ParamRole.WORKSPACE_POOL: "workspace_pools_",
        ParamRole.CONSTANT_POOL: "constant_pools_",
        ParamRole.DEVICE: "devices_",
    }
    members = [f"{holders[p.role]}->{p.name}" for p in main.params if p.role in holders]
    if parameters:
        nulls = [f"{kind}_ == NULL" for _, kind in parameters]
        yield f"  if ({' || '.join(nulls)}) {{"
        yield f"    return {upper}_ERROR_NULL;"
        yield "  }"
    pointers = [m for m in members if not m.startswith("devices_")]
    for member in pointers:
        yield f"  if ({member} == NULL) {{"
        yield f"    return {upper}_ERROR_NULL;"
        yield "  }"
    for expression, alignment in _alignments(module, metadata):
        yield f"  if ((uintptr_t){expression} % {alignment}u != 0u) {{"
        yield f"    return {upper}_ERROR_ALIGNMENT;"
        yield "  }"
    used = {b.name for s in walk(main.body) for b in accessed(s)}
    used |= {s.pool.name for s in walk(main.body) if isinstance(s, PoolView)}
    for param in main.params:
        member = f"{holders[param.role]}->{param.name}"
        if param.role is ParamRole.DEVICE:
            yield f"  void *const {param.buffer.name} = {member};"
        elif param.buffer.name in used:
            const = "const " if param.role in (ParamRole.INPUT, ParamRole.CONSTANT_POOL) else ""
            kind = c_type(param.buffer.dtype)
            yield f"  {const}{kind} *const {param.buffer.name} = {member};"
    yield from printer.lines(main.body)
    for view in main.body.body:
        if isinstance(view, PoolView) and view.buffer.name not in used:
            yield f"  (void){view.buffer.name};"
    yield f"  return {upper}_OK;"
    yield "}"


def _alignments(module: IRModule, metadata: ExecutorMetadata) -> Iterator[tuple[str, int]]:
    """What must be aligned: pools as planned, interface tensors to their elements."""
    for param in module.main.params:
        holder = "inputs_" if param.role is ParamRole.INPUT else "outputs_"
        if param.role in (ParamRole.INPUT, ParamRole.OUTPUT) and param.buffer.dtype.bytes > 1:
            yield f"{holder}->{param.name}", param.buffer.dtype.bytes
    for info in metadata.workspace_pools:
        yield f"workspace_pools_->{info.name}", info.pool.alignment
    for info in metadata.constant_pools:
        yield f"constant_pools_->{info.name}", info.pool.alignment


def _init(module: IRModule) -> Iterator[str]:
    """Copies every image to its place."""
    name, upper = module.name, module.name.upper()
    pools = {s.buffer.name: s.pool.name for s in walk(module.main.body) if isinstance(s, PoolView)}
    yield f"int32_t {name}_init(const struct {name}_constant_pools *constant_pools_) {{"
    members = sorted({pools[i.key.buffer] for i in module.images})
    nulls = ["constant_pools_ == NULL", *(f"constant_pools_->{m} == NULL" for m in members)]
    yield f"  if ({' || '.join(nulls)}) {{"
    yield f"    return {upper}_ERROR_NULL;"
    yield "  }"
    for image in module.images:
        symbol = image_symbol(name, image.key.buffer)
        target = f"constant_pools_->{pools[image.key.buffer]} + {image.offset}"
        yield f"  memcpy({target}, {symbol}, sizeof {symbol});"
    yield f"  return {upper}_OK;"
    yield "}"


def _maps(metadata: ExecutorMetadata) -> Iterator[str]:
    """The functions that say where the interface tensors lie."""
    name = metadata.module_name
    for kind, tensors in (("inputs", metadata.inputs), ("outputs", metadata.outputs)):
        places = {a.name: a for a in metadata.io_allocations}
        yield f"struct {name}_{kind} {name}_map_{kind}("
        yield f"    const struct {name}_workspace_pools *workspace_pools_) {{"
        yield f"  struct {name}_{kind} map;"
        for tensor in tensors:
            place = places[tensor.name]
            pointer = f"(void *)(workspace_pools_->{place.pool} + {place.offset})"
            yield f"  map.{tensor.name} = ({c_type(tensor.type.dtype)} *){pointer};"
        yield "  return map;"
        yield "}"
        yield ""
