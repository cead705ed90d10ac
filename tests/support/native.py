"""Compiles a model to a shared library and calls it in this process."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from aot.codegen.files import write_files
from aot.compiler import CompiledModel, CompileOptions, compile_model
from aot.ir.pools import Pool, PoolKind

STRICT = "-Wall -Wextra -Wconversion -Wshadow -Wundef -pedantic -Werror -ffp-contract=off".split()
POOLS = (
    Pool("ram", PoolKind.WORKSPACE),
    Pool("flash", PoolKind.CONSTANT, read_only=True),
)


def options(**changes: Any) -> CompileOptions:
    """Options for one unlimited RAM and flash."""
    return replace(CompileOptions("tested", POOLS), **changes)


def gcc() -> str:
    """The native C compiler; skips the test where there is none."""
    found = shutil.which("gcc")
    if found is None:
        pytest.skip("needs gcc")
    return found


@dataclass
class NativeModel:
    """A loaded library of one model without I/O in pools; ``fill`` is what the workspace holds
    before each run."""

    compiled: CompiledModel
    library: ctypes.CDLL
    fill: int = 0x55

    def run(self, inputs: Sequence[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
        """One inference."""
        metadata = self.compiled.metadata
        outputs = [np.zeros(t.type.shape, t.type.dtype.numpy) for t in metadata.outputs]
        arrays = [np.ascontiguousarray(a) for a in inputs] + outputs
        pointers = [a.ctypes.data_as(ctypes.c_void_p) for a in arrays]
        status = self.library.call(self.fill, *pointers)
        assert status == 0, f"run returned {status}"
        return outputs


def native_model(
    raw: bytes, folder: Path, flags: Sequence[str] = ("-O0",), **changes: Any
) -> NativeModel:
    """``raw`` compiled in ``folder`` with warnings as errors."""
    compiled = compile_model(raw, "model.tflite", options(**changes))
    write_files(compiled.files, folder)
    (folder / "call.c").write_text(_caller(compiled))
    command = [gcc(), "-std=c99", *STRICT, *flags, "-shared", "-fPIC", "-o", "model.so", "call.c"]
    subprocess.run(command, cwd=folder, check=True)
    return NativeModel(compiled, ctypes.CDLL(str(folder / "model.so")))


def _caller(compiled: CompiledModel) -> str:
    """A C function that takes the fill byte and plain pointers, in the model's order."""
    metadata, name = compiled.metadata, compiled.module.name
    tensors = [("inputs", t) for t in metadata.inputs] + [("outputs", t) for t in metadata.outputs]
    parameters = ", ".join(f"void *p{i}" for i in range(len(tensors)))
    # One translation unit compiles several times faster than three.
    lines = [f'#include "{name}.c"', f'#include "{name}_data.c"']
    for pool in metadata.workspace_pools:
        lines.append(f"static uint8_t {pool.name}[{pool.bytes}] __attribute__((aligned(16)));")
    lines.append(f"int32_t call(int fill{', ' if parameters else ''}{parameters});")
    lines.append(f"int32_t call(int fill{', ' if parameters else ''}{parameters}) {{")
    arguments = []
    for kind in ("inputs", "outputs"):
        members = [(i, t) for i, (k, t) in enumerate(tensors) if k == kind]
        if members:
            lines.append(f"  struct {name}_{kind} {kind};")
            lines += [f"  {kind}.{t.name} = p{i};" for i, t in members]
            arguments.append(f"&{kind}")
    if metadata.workspace_pools:
        lines.append(f"  struct {name}_workspace_pools pools;")
        for pool in metadata.workspace_pools:
            lines.append(f"  memset({pool.name}, fill, sizeof {pool.name});")
            lines.append(f"  pools.{pool.name} = {pool.name};")
        arguments.append("&pools")
    else:
        lines.append("  (void)fill;")
    lines.append(f"  return {name}_run({', '.join(arguments)});")
    lines.append("}")
    return "\n".join(lines) + "\n"
