"""<model>_data.c and <model>_data.h: the constants, as arrays that live in flash."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from aot.codegen.c_function import constant_symbol
from aot.codegen.c_types import c_type, literal
from aot.codegen.files import GeneratedFile
from aot.codegen.header import banner
from aot.codegen.provenance import Provenance
from aot.ir.module import IRModule
from aot.ir.tir import AllocateConst
from aot.ir.types import Data, DType
from aot.ir.visitor import walk

_WIDTH = 96


def image_symbol(prefix: str, buffer: str) -> str:
    """The global name of the flash copy of a constant that init moves to a writable pool."""
    return f"{prefix}_image_{buffer}"


def data_files(module: IRModule, provenance: Provenance) -> tuple[GeneratedFile, GeneratedFile]:
    """The declarations and the definitions of every constant."""
    name = module.name
    arrays = list(_arrays(module))
    head = [
        *banner(provenance, f"Constants of the model {name}: declarations."),
        f"#ifndef {name.upper()}_DATA_H",
        f"#define {name.upper()}_DATA_H",
        "",
        "#include <stdint.h>",
        "",
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        "",
        *(f"extern const {c_type(d.dtype)} {symbol}[{_length(d)}];" for symbol, d, _, _ in arrays),
        "",
        "#ifdef __cplusplus",
        "}",
        "#endif",
        "",
        f"#endif /* {name.upper()}_DATA_H */",
    ]
    body = [
        *banner(provenance, f"Constants of the model {name}."),
        f'#include "{name}_data.h"',
        "",
        *_placement_macros(name.upper()),
    ]
    for symbol, data, alignment, section in arrays:
        place = f"{name.upper()}_ALIGNED({alignment})"
        if section:
            place += f' {name.upper()}_SECTION("{section}")'
        body.append(f"const {c_type(data.dtype)} {symbol}[{_length(data)}] {place} = {{")
        body += _values(data)
        body.append("};")
        body.append("")
    return (
        GeneratedFile(f"{name}_data.h", "\n".join(head) + "\n"),
        GeneratedFile(f"{name}_data.c", "\n".join(body).rstrip("\n") + "\n"),
    )


def _arrays(module: IRModule) -> Iterator[tuple[str, Data, int, str]]:
    """(symbol, contents, alignment, section) in the order of the functions."""
    for function in module.prim_funcs:
        for s in walk(function.body):
            if isinstance(s, AllocateConst):
                symbol = constant_symbol(module.name, function.name, module.entry, s.buffer)
                section = module.pool(s.candidates[0]).section if s.candidates else ""
                yield symbol, s.data, s.alignment, section
    for image in module.images:
        yield image_symbol(module.name, image.key.buffer), image.data, image.data.dtype.bytes, ""


def _placement_macros(upper: str) -> Iterator[str]:
    yield "#if defined(__GNUC__)"
    yield f"#define {upper}_ALIGNED(bytes) __attribute__((aligned(bytes)))"
    yield f"#define {upper}_SECTION(name) __attribute__((section(name)))"
    yield "#else"
    yield f"#define {upper}_ALIGNED(bytes)"
    yield f"#define {upper}_SECTION(name)"
    yield "#endif"
    yield ""


def _length(data: Data) -> int:
    """Elements of the array; C has no empty ones."""
    return max(1, data.type.elements)


@cache
def _byte_texts(dtype: DType) -> tuple[str, ...]:
    """Every value of an 8-bit type as text, by its bits."""
    values = np.arange(256, dtype=np.uint8).view(dtype.numpy)
    return tuple(str(int(v)) for v in values)


def _values(data: Data) -> Iterator[str]:
    """The initialiser, in lines of a readable width."""
    if data.dtype.bytes == 1:
        table = _byte_texts(DType.UINT8 if data.dtype is DType.BOOL else data.dtype)
        texts = [table[b] for b in data.raw]
    elif data.dtype is DType.FLOAT16:
        texts = [str(int(v)) for v in np.frombuffer(data.raw, dtype="<u2")]
    else:
        texts = [literal(v.item(), data.dtype) for v in data.array().reshape(-1)]
    line = "   "
    for text in texts or ["0"]:
        if len(line) + len(text) + 2 > _WIDTH:
            yield line
            line = "   "
        line += f" {text},"
    yield line
