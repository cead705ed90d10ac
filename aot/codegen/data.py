"""<model>_data.c and <model>_data.h: the constants, as arrays that live in flash."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from aot.codegen.c_types import c_type, literal, literals
from aot.codegen.constants import ConstantArray, constant_arrays
from aot.codegen.files import GeneratedFile
from aot.codegen.header import banner
from aot.codegen.layout import WIDTH
from aot.codegen.provenance import Provenance
from aot.ir.module import IRModule
from aot.ir.types import Data, DType


def data_files(module: IRModule, provenance: Provenance) -> tuple[GeneratedFile, GeneratedFile]:
    """The declarations and the definitions of every constant."""
    name, upper = module.name, module.name.upper()
    arrays = constant_arrays(module)
    head = [
        *banner(provenance, f"Constants of the model {name}: declarations."),
        f"#ifndef MICROAOT_{upper}_DATA_H",
        f"#define MICROAOT_{upper}_DATA_H",
        "",
        "#include <stdint.h>",
        "",
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        "",
        *(f"extern const {_declarator(array)};" for array in arrays),
        "",
        "#ifdef __cplusplus",
        "}",
        "#endif",
        "",
        f"#endif /* MICROAOT_{upper}_DATA_H */",
    ]
    body = [
        *banner(provenance, f"Constants of the model {name}."),
        f'#include "{name}_data.h"',
        "",
        *_placement_macros(upper),
        *(_special_macros(upper) if any(_has_specials(a.data) for a in arrays) else ()),
    ]
    for array in arrays:
        place = f"{upper}_ALIGNED({array.alignment})"
        if array.section:
            place += f' {upper}_SECTION("{array.section}")'
        body.append(f"const {_declarator(array)} {place} = {{")
        body += _values(array.data, upper)
        body.append("};")
        body.append("")
    return (
        GeneratedFile(f"{name}_data.h", "\n".join(head) + "\n"),
        GeneratedFile(f"{name}_data.c", "\n".join(body).rstrip("\n") + "\n"),
    )


def _declarator(array: ConstantArray) -> str:
    """Type, name and length; C has no empty arrays."""
    return f"{c_type(array.data.dtype)} {array.symbol}[{max(1, array.data.type.elements)}]"


def _placement_macros(upper: str) -> Iterator[str]:
    yield "#if defined(__GNUC__)"
    yield f"#define {upper}_ALIGNED(bytes) __attribute__((aligned(bytes)))"
    yield f"#define {upper}_SECTION(name) __attribute__((section(name)))"
    yield "#else"
    yield f"#define {upper}_ALIGNED(bytes)"
    yield f"#define {upper}_SECTION(name)"
    yield "#endif"
    yield ""


def _has_specials(data: Data) -> bool:
    """Whether infinities or NaNs are among the elements."""
    floating = data.dtype in (DType.FLOAT32, DType.FLOAT64)
    return floating and not bool(np.isfinite(data.array()).all())


def _special_macros(upper: str) -> Iterator[str]:
    """C++ does not count a division by zero as constant, and would fill the array at start."""
    yield "#if defined(__GNUC__)"
    yield f"#define {upper}_INFINITY __builtin_inff()"
    yield f'#define {upper}_NAN __builtin_nanf("")'
    yield "#else"
    yield f"#define {upper}_INFINITY (1.0f / 0.0f)"
    yield f"#define {upper}_NAN (0.0f / 0.0f)"
    yield "#endif"
    yield ""


def _values(data: Data, upper: str) -> Iterator[str]:
    """The initialiser, in rows of equally many elements."""
    texts = literals(data) or ["0"]
    if _has_specials(data):
        macros = {math.inf: f"{upper}_INFINITY", -math.inf: f"-{upper}_INFINITY"}
        special = {literal(value, data.dtype): macro for value, macro in macros.items()}
        special[literal(math.nan, data.dtype)] = f"{upper}_NAN"
        texts = [special.get(text, text) for text in texts]
    row = max(1, (WIDTH - 2) // (max(map(len, texts)) + 2))
    for i in range(0, len(texts), row):
        yield f"  {', '.join(texts[i : i + row])},"
