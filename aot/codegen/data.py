"""<model>_data.c and <model>_data.h: the constants, as arrays that live in flash."""

from __future__ import annotations

from collections.abc import Iterator

from aot.codegen.c_types import c_type, literals
from aot.codegen.constants import ConstantArray, constant_arrays
from aot.codegen.files import GeneratedFile
from aot.codegen.header import banner
from aot.codegen.layout import WIDTH
from aot.codegen.provenance import Provenance
from aot.ir.module import IRModule
from aot.ir.types import Data


def data_files(module: IRModule, provenance: Provenance) -> tuple[GeneratedFile, GeneratedFile]:
    """The declarations and the definitions of every constant."""
    name, upper = module.name, module.name.upper()
    arrays = constant_arrays(module)
    head = [
        *banner(provenance, f"Constants of the model {name}: declarations."),
        f"#ifndef {upper}_DATA_H",
        f"#define {upper}_DATA_H",
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
        f"#endif /* {upper}_DATA_H */",
    ]
    body = [
        *banner(provenance, f"Constants of the model {name}."),
        f'#include "{name}_data.h"',
        "",
        *_placement_macros(upper),
    ]
    for array in arrays:
        place = f"{upper}_ALIGNED({array.alignment})"
        if array.section:
            place += f' {upper}_SECTION("{array.section}")'
        body.append(f"const {_declarator(array)} {place} = {{")
        body += _values(array.data)
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


def _values(data: Data) -> Iterator[str]:
    """The initialiser, in rows of equally many elements."""
    texts = literals(data) or ["0"]
    row = max(1, (WIDTH - 2) // (max(map(len, texts)) + 2))
    for i in range(0, len(texts), row):
        yield f"  {', '.join(texts[i : i + row])},"
