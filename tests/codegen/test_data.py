"""Constants: bytes as the model has them, wherever a compiler puts them."""

from __future__ import annotations

import subprocess
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from aot.codegen.constants import constant_symbols
from aot.codegen.data import data_files
from aot.codegen.files import write_files
from aot.ir.module import IRModule
from aot.ir.tir import AllocateConst, Seq
from aot.ir.types import Data, DType
from tests.codegen.harness import C99, CPP11, PROVENANCE, SANITIZERS, compile_c
from tests.codegen.modules import FLASH, adder, buffer

SECTIONED = replace(FLASH, section=".rodata.weights")


def with_constants(*constants: Data) -> IRModule:
    """The adder with constants that nothing reads, in a section of their own."""
    module = adder()
    body = tuple(
        AllocateConst(buffer(f"c{i}", d.dtype, *d.shape), d, 16, ("flash",))
        for i, d in enumerate(constants)
    )
    main = replace(module.main, body=Seq((*body, *module.main.body.body)))
    return replace(module.with_function(main), pools=(module.pools[0], SECTIONED))


def sample(dtype: DType) -> Data:
    if dtype is DType.BOOL:
        return Data.of([True, False, True], dtype)
    if dtype is DType.FLOAT16:
        return Data.of([1.0, -0.0, np.nan, 6e-8, 65504.0], dtype)
    if dtype.is_float:
        info = np.finfo(dtype.value)
        specials = [
            0.0,
            -0.0,
            np.nan,
            np.inf,
            -np.inf,
            info.tiny,
            info.smallest_subnormal,
            info.max,
        ]
        values = [*specials, *np.random.default_rng(1).normal(size=200)]
        return Data.of(np.array(values, dtype.numpy), dtype)
    low, high = dtype.bounds
    return Data.of(np.array([low, low + 1, -1 if low else 1, 0, 1, high - 1, high]), dtype)


@pytest.mark.parametrize("command", [C99, CPP11], ids=["c99", "c++11"])
def test_a_program_sees_the_bytes_of_the_model(tmp_path: Path, command: tuple[str, ...]):
    samples = [sample(dtype) for dtype in DType]
    empty = Data((0, 4), DType.FLOAT32, b"")
    module = with_constants(*samples, empty)
    _, data = write_files(data_files(module, PROVENANCE), tmp_path)
    symbols = [s for key, s in constant_symbols(module).items() if key.buffer.startswith("c")]
    lines = [
        f"  fwrite({s}, 1, {len(d.raw)}, stdout); ok &= (uintptr_t){s} % 16u == 0u;"
        for s, d in zip(symbols, [*samples, empty], strict=True)
    ]
    main = tmp_path / "main.c"
    main.write_text(
        '#include "adder_data.h"\n#include <stdio.h>\nint main(void) {\n  int ok = 1;\n'
        + "\n".join(lines)
        + "\n  return ok ? 0 : 1;\n}\n"
    )
    calm = ("-Wno-missing-prototypes",) if command is C99 else ()
    objects = [compile_c(command, p, *SANITIZERS, *calm) for p in (data, main)]
    program = tmp_path / "program"
    subprocess.run([command[0], *SANITIZERS, *map(str, objects), "-o", str(program)], check=True)
    done = subprocess.run([str(program)], capture_output=True, check=True)
    assert done.stdout == b"".join(d.raw for d in samples)


@pytest.mark.parametrize("command", [C99, CPP11], ids=["c99", "c++11"])
def test_constants_are_read_only_and_in_their_section(tmp_path: Path, command: tuple[str, ...]):
    module = with_constants(Data.of([1.0, np.nan, np.inf, -np.inf], DType.FLOAT64))
    _, data = write_files(data_files(module, PROVENANCE), tmp_path)
    compiled = compile_c(command, data)
    listing = subprocess.run(
        ["objdump", "-t", str(compiled)], capture_output=True, text=True, check=True
    ).stdout
    symbols = [line for line in listing.splitlines() if "adder_const_" in line]
    assert len(symbols) == 2
    assert all(".rodata.weights" in line for line in symbols)


def test_lines_are_of_a_readable_width():
    module = with_constants(*(sample(dtype) for dtype in DType))
    for file in data_files(module, PROVENANCE):
        body = file.text.split("*/", 1)[1]
        assert max(map(len, body.splitlines())) <= 120
        rows = [line for line in body.splitlines() if line.endswith(",")]
        assert all(len(row) <= 100 for row in rows)


def test_a_megabyte_is_fast():
    raw = np.random.default_rng(0).bytes(1 << 20)
    module = with_constants(Data((1 << 20,), DType.INT8, raw))
    fastest = 60.0
    for _ in range(3):
        start = time.perf_counter()
        data_files(module, PROVENANCE)
        fastest = min(fastest, time.perf_counter() - start)
    assert fastest < 0.5
