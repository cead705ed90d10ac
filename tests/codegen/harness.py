"""Generates the C of a module, compiles it strictly, and runs it behind a small driver."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from aot.analysis.executor_metadata import executor_metadata
from aot.codegen.data import data_files
from aot.codegen.files import GeneratedFile, write_files
from aot.codegen.glue import FirmwareModel, firmware_models
from aot.codegen.header import header
from aot.codegen.provenance import Provenance
from aot.codegen.source import source
from aot.ir.intrinsics import IntrinsicDefinition
from aot.ir.module import IRModule
from aot.resources import data_dir

PROVENANCE = Provenance("0.0", "0123456789abcdef" * 4, "model.tflite", ("target scalar",))

_WARNINGS = "-Wall -Wextra -Wconversion -Wshadow -Wundef -pedantic -Werror -Wcast-align".split()
C99 = ("gcc", "-std=c99", *_WARNINGS, "-Wstrict-prototypes", "-Wmissing-prototypes")
CPP11 = ("g++", "-x", "c++", "-std=c++11", *_WARNINGS)
SANITIZERS = (
    "-fsanitize=undefined,address,float-cast-overflow",
    "-fno-sanitize-recover=all",
    "-g",
)

# Runs every model once: pools filled with argv[1], inputs from the standard input.
DRIVER = """\
#include "model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  const int fill = argc > 1 ? (int)strtol(argv[1], NULL, 16) : 0;
  for (uint32_t m = 0; m < firmware_model_count; ++m) {
    const struct model *model = firmware_models[m];
    if (model->init != NULL && model->init() != 0) {
      return 90;
    }
    for (uint32_t i = 0; i < model->pool_count; ++i) {
      memset(model->pools[i].base, fill, model->pools[i].bytes);
    }
    for (uint32_t i = 0; i < model->input_count; ++i) {
      if (fread(model->inputs[i].data, 1, model->inputs[i].bytes, stdin) !=
          model->inputs[i].bytes) {
        return 91;
      }
    }
    const int32_t code = model->run();
    if (code != 0) {
      return (int)-code;
    }
    for (uint32_t i = 0; i < model->output_count; ++i) {
      fwrite(model->outputs[i].data, 1, model->outputs[i].bytes, stdout);
    }
  }
  return 0;
}
"""


def c_files(
    module: IRModule, intrinsics: tuple[IntrinsicDefinition, ...] = ()
) -> tuple[GeneratedFile, ...]:
    """Header, source, data header and data of ``module``."""
    metadata = executor_metadata(module)
    return (
        header(metadata, PROVENANCE, bool(module.images)),
        source(module, metadata, intrinsics, PROVENANCE),
        *data_files(module, PROVENANCE),
    )


def text_of(module: IRModule, name: str) -> str:
    """The generated file ``name`` of ``module``."""
    return next(f.text for f in c_files(module) if f.name == name)


def glue(modules: Sequence[IRModule]) -> GeneratedFile:
    models = [
        FirmwareModel(executor_metadata(m), PROVENANCE.model_hash, bool(m.images)) for m in modules
    ]
    return firmware_models(models, "host", "0123456789abcdef")


def compile_c(command: Sequence[str], source_file: Path, *flags: str) -> Path:
    """The object of ``source_file``; a diagnostic fails the test."""
    compiled = source_file.with_suffix(f".{command[0]}.o")
    # In the order of a firmware plan.
    includes = ("-I", str(data_dir("firmware") / "include"), "-I", str(source_file.parent))
    argv = [*command, *flags, *includes, "-c", str(source_file), "-o", str(compiled)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return compiled


def build(
    folder: Path,
    modules: Sequence[IRModule],
    *flags: str,
    command: Sequence[str] = C99,
    extra: str = "",
    intrinsics: tuple[IntrinsicDefinition, ...] = (),
) -> Path:
    """A program of ``modules``, whose sources ``command`` compiles; ``extra`` is C text beside."""
    files = [f for m in modules for f in c_files(m, intrinsics)]
    paths = [p for p in write_files(files, folder) if p.suffix == ".c"]
    objects = [compile_c(command, p, *flags) for p in paths]
    plain = [glue(modules), GeneratedFile("driver.c", DRIVER), GeneratedFile("extra.c", extra)]
    for path in write_files([f for f in plain if f.text], folder):
        strict = tuple(f for f in C99 if f != "-Wmissing-prototypes")
        objects.append(compile_c(strict, path, *flags))
    program = folder / "program"
    argv = [command[0], *flags, *map(str, objects), "-o", str(program)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return program


def run(program: Path, inputs: bytes, fill: str = "00") -> bytes:
    """What the program writes; anything on the standard error fails the test."""
    done = subprocess.run(
        [str(program), fill], input=inputs, capture_output=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout
