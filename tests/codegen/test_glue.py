"""The table of a firmware's models."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from aot.analysis.executor_metadata import ExecutorMetadata, PoolInfo, executor_metadata
from aot.codegen.errors import DuplicateModelError
from aot.codegen.files import GeneratedFile, write_files
from aot.codegen.glue import FirmwareModel, firmware_models
from aot.codegen.header import header
from tests.codegen.harness import C99, PROVENANCE, compile_c
from tests.codegen.modules import RAM, adder, hooked, pooled_adder, scaler

# Only generated prototypes of another file would satisfy it.
COMMAND = tuple(flag for flag in C99 if flag != "-Wmissing-prototypes")


def compile_table(folder: Path, models: list[ExecutorMetadata], initialises: bool = False) -> str:
    headers = [header(m, PROVENANCE, initialises) for m in models]
    table = [FirmwareModel(m, PROVENANCE.model_hash, initialises) for m in models]
    glue = firmware_models(table, "board", "build")
    *_, path = write_files([*headers, glue], folder)
    compile_c(COMMAND, path)
    return glue.text


def test_a_firmware_without_models(tmp_path: Path):
    text = compile_table(tmp_path, [])
    assert "firmware_model_count = 0u;" in text


def test_devices_get_null_contexts(tmp_path: Path):
    text = compile_table(tmp_path, [executor_metadata(hooked())])
    assert "const struct hooked_devices devices = {.npu = NULL};" in text


@pytest.mark.parametrize("port", ["run", "init", "model", "inputs_0", "workspace_0"])
def test_tensors_called_like_the_table_s_own_symbols(tmp_path: Path, port: str):
    for name in ("a", "model", "input", "pools"):
        module = adder(name=name, ports=(port, "other", "result"))
        compile_table(
            tmp_path / name, [executor_metadata(module), executor_metadata(scaler())], False
        )


def test_models_share_the_larger_workspace_whatever_they_call_it(tmp_path: Path):
    small, large = executor_metadata(adder()), executor_metadata(pooled_adder())
    # A tensor of this model is called `ram`, so its pool is not.
    renamed = replace(small, workspace_pools=(PoolInfo("ram_2", RAM, 24),))
    text = compile_table(tmp_path, [renamed, large])
    assert text.count("static uint8_t workspace_") == 1
    assert 'ALIGNED(8) SECTION(".bss.ram") static uint8_t workspace_0[48];' in text
    assert ".ram_2 = workspace_0" in text and ".ram = workspace_0" in text


def test_tensors_without_elements_still_compile(tmp_path: Path):
    metadata = executor_metadata(adder())
    left = metadata.inputs[0]
    empty = replace(left, type=replace(left.type, shape=(0, 8)))
    text = compile_table(tmp_path, [replace(metadata, inputs=(empty, *metadata.inputs[1:]))])
    assert "static int8_t input_0_0[1];" in text and '{"left", input_0_0, 0u, 0u,' in text


def test_a_model_without_inputs(tmp_path: Path):
    text = compile_table(tmp_path, [replace(executor_metadata(adder()), inputs=())])
    assert "inputs_0, 0u," in text


def test_constants_in_ram_are_initialised(tmp_path: Path):
    text = compile_table(tmp_path, [executor_metadata(scaler())], initialises=True)
    assert "return scaler_init(&constant_pools);" in text
    assert "init_0, run_0, NULL," in text


def test_equal_names_are_refused_whatever_the_case():
    models = [
        FirmwareModel(executor_metadata(adder(name=name)), "0" * 64, False)
        for name in ("kws", "KWS")
    ]
    with pytest.raises(DuplicateModelError, match=r"model KWS: two models .* give one of them"):
        firmware_models(models, "board", "build")


def test_file_name_is_the_one_that_boards_expect():
    assert isinstance(firmware_models([], "b", "i"), GeneratedFile)
    assert firmware_models([], "b", "i").name == "firmware_models.c"
