"""The header alone: macros, structs, and tensors called anything."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from aot.analysis.executor_metadata import executor_metadata
from aot.codegen.files import GeneratedFile, write_files
from aot.codegen.header import header
from aot.codegen.provenance import Provenance
from aot.ir.module import IRModule
from aot.ir.types import DType, Quantization
from tests.codegen.harness import C99, CPP11, PROVENANCE, compile_c
from tests.codegen.modules import adder, hooked, pooled_adder, scaler, single_kernel
from tests.codegen.test_c_function import kernel


def header_of(module: IRModule, provenance: Provenance = PROVENANCE) -> GeneratedFile:
    return header(executor_metadata(module), provenance, bool(module.images))


def compile_with_header(folder: Path, module: IRModule, text: str) -> None:
    """Compiles ``text`` after the header, included twice, as C99 and as C++11."""
    name = header_of(module).name
    includes = f'#include "{name}"\n' * 2
    user = GeneratedFile("user.c", includes + text)
    *_, path = write_files([header_of(module), user], folder)
    for command in (C99, CPP11):
        compile_c(command, path)


@pytest.mark.parametrize(
    "module", [adder(), scaler(), pooled_adder(), hooked()], ids=lambda m: m.name
)
def test_stands_alone(tmp_path: Path, module: IRModule):
    compile_with_header(tmp_path, module, "typedef int needs_no_other_header;\n")


def test_macros_have_the_values_of_the_plan(tmp_path: Path):
    facts = {
        "SCALER_SIGNAL_SIZE": 16,
        "SCALER_UNUSED_SIZE": 8,
        "SCALER_SCALED_SIZE": 16,
        "SCALER_RAM_WORKSPACE_POOL_SIZE": 32,
        "SCALER_RAM_WORKSPACE_POOL_ALIGNMENT": 8,
        "SCALER_TIGHT_CONSTANT_POOL_SIZE": 24,
        "SCALER_TIGHT_CONSTANT_POOL_ALIGNMENT": 4,
        "SCALER_OK": 0,
        "SCALER_ERROR_NULL": -1,
        "SCALER_ERROR_ALIGNMENT": -2,
        "SCALER_ERROR_DEVICE": -3,
    }
    checks = "".join(
        f"typedef char check_{i}[((int)({macro}) == {value}) ? 1 : -1];\n"
        for i, (macro, value) in enumerate(facts.items())
    )
    compile_with_header(tmp_path, scaler(), checks)


def test_quantization_macros(tmp_path: Path):
    zero = "typedef char zero[ADDER_LEFT_ZERO_POINT == -3 ? 1 : -1];\n"
    compile_with_header(tmp_path, adder(), zero)
    assert "#define ADDER_SUM_SCALE 0.5f\n" in header_of(adder()).text


def test_per_channel_and_plain_tensors_have_no_scale():
    assert "_SCALE " not in header_of(scaler()).text
    module = adder()
    channels = Quantization((0.5,) * 8, (0,) * 8, 1)
    metadata = executor_metadata(module)
    left = metadata.inputs[0]
    left = replace(left, type=replace(left.type, quantization=channels))
    changed = replace(metadata, inputs=(left, *metadata.inputs[1:]))
    text = header(changed, PROVENANCE, False).text
    assert "ADDER_LEFT_SCALE" not in text and "ADDER_RIGHT_SCALE" in text


HOSTILE = ["*/ #error", "/* open", "line\nbreak", "end\\", "??/", "\u202e", "\udcff", "%s%n"]


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_foreign_names_stay_inside_the_comments(tmp_path: Path, name: str):
    metadata = executor_metadata(adder())
    inputs = tuple(replace(t, tensor=name) for t in metadata.inputs)
    provenance = Provenance("0.0", "0" * 64, name, (name,))
    file = header(replace(metadata, inputs=inputs), provenance, False)
    user = GeneratedFile("user.c", f'#include "{file.name}"\ntypedef int done;\n')
    *_, path = write_files([file, user], tmp_path)
    for command in (C99, CPP11):
        compile_c(command, path)


def test_a_model_without_pools_takes_its_tensors_only():
    module = single_kernel(replace(kernel(), body=replace(kernel().body, body=())))
    text = header_of(module).text
    assert "m_run(const struct m_inputs *inputs, const struct m_outputs *outputs);" in text
    assert "pools" not in text.split("/* One inference")[0]
    assert {d.value for d in DType} >= {"int32"}


def test_maps_exist_for_what_lies_in_the_pools_alone():
    metadata = executor_metadata(pooled_adder())
    outputs = tuple(a for a in metadata.io_allocations if a.name == "sum")
    assert len(outputs) == 1
    no_inputs = replace(metadata, inputs=(), io_allocations=outputs)
    text = header(no_inputs, PROVENANCE, False).text
    assert "map_outputs" in text and "map_inputs" not in text
