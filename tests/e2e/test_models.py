"""Whole models against their reference outputs, natively and on emulated boards."""

from __future__ import annotations

import shutil
import subprocess
import sys
from contextlib import suppress

import numpy as np
import pytest

from aot.boards.loader import load_board
from aot.commands.firmware import link
from aot.compiler import CompileOptions, compile_model
from aot.frontend.errors import MalformedModelError, UnsupportedModelError
from aot.hil.interface import TensorSpec, read_interface
from aot.hil.testing import run_vectors
from aot.hil.vectors import Vectors, differences, read_vectors
from tests.support.models import DIGITS, SUPPORTED, WAVEFORM, model_folder
from tests.support.native import native_model, options

MLPERF = {
    "mlperf_kws_dscnn_int8": 16_000,
    "mlperf_vww_mbv1_96_int8": 55_296,
    "mlperf_ic_resnet8_int8": 49_152,
    "mlperf_ad_autoenc_int8": 768,
}


def specs(tensors):
    return [TensorSpec(t.name, t.type.dtype.value, t.type.shape) for t in tensors]


def check_natively(path, tmp_path, runs=3, **changes):
    model = native_model(path.read_bytes(), tmp_path, ("-O2",), **changes)
    metadata = model.compiled.metadata
    inputs = read_vectors(path.with_suffix(".npz"), "in", specs(metadata.inputs))
    expected = read_vectors(path.with_suffix(".npz"), "out", specs(metadata.outputs))
    got = [tuple(model.run(run)) for run in inputs.runs[:runs]]
    assert not list(differences(got, expected.runs[:runs], specs(metadata.outputs)))


@pytest.mark.parametrize("path", [DIGITS, WAVEFORM], ids=lambda p: p.stem)
def test_examples(path, tmp_path):
    check_natively(path, tmp_path, runs=1000)


@pytest.mark.parametrize("name", SUPPORTED)
def test_real_models(name, tmp_path):
    check_natively(model_folder() / f"{name}.tflite", tmp_path)


def test_every_other_model_is_refused_with_reasons():
    folder = model_folder()
    refused = {}
    for path in sorted(folder.glob("*.tflite")):
        # Anything else that is raised fails the test.
        with suppress(UnsupportedModelError, MalformedModelError):
            compile_model(path.read_bytes(), path.name, options())
            continue
        refused[path.stem] = path
    assert refused
    assert not refused.keys() & set(SUPPORTED)


@pytest.mark.parametrize("flags", ["-O0", "-Os", "-O3"])
def test_optimisation_changes_nothing(flags, tmp_path):
    model = native_model(DIGITS.read_bytes(), tmp_path, (flags,))
    inputs = read_vectors(DIGITS.with_suffix(".npz"), "in", specs(model.compiled.metadata.inputs))
    outputs = specs(model.compiled.metadata.outputs)
    expected = read_vectors(DIGITS.with_suffix(".npz"), "out", outputs)
    got = [tuple(model.run(run)) for run in inputs.runs]
    assert not list(differences(got, expected.runs, outputs))


@pytest.mark.parametrize("fill", [0x00, 0x55, 0xFF])
def test_what_pools_hold_before_a_run_does_not_matter(fill, tmp_path):
    model = native_model(WAVEFORM.read_bytes(), tmp_path)
    model.fill = fill
    outputs = specs(model.compiled.metadata.outputs)
    inputs = read_vectors(WAVEFORM.with_suffix(".npz"), "in", specs(model.compiled.metadata.inputs))
    expected = read_vectors(WAVEFORM.with_suffix(".npz"), "out", outputs)
    got = [tuple(model.run(run)) for run in inputs.runs[:5]]
    assert not list(differences(got, expected.runs[:5], outputs))


@pytest.mark.parametrize("path", [DIGITS, WAVEFORM], ids=lambda p: p.stem)
def test_sanitizers_find_nothing(path, tmp_path):
    """A program of its own: the address sanitizer must be there from the start."""
    model = native_model(path.read_bytes(), tmp_path)
    metadata = model.compiled.metadata
    inputs = read_vectors(path.with_suffix(".npz"), "in", specs(metadata.inputs)).runs[0]
    sizes = [t.type.bytes for t in (*metadata.inputs, *metadata.outputs)]
    blobs = "".join(
        f"static unsigned char p{i}[{n}] __attribute__((aligned(8)))"
        + (f" = {{{','.join(map(str, inputs[i].tobytes()))}}};\n" if i < len(inputs) else ";\n")
        for i, n in enumerate(sizes)
    )
    call = ", ".join(f"p{i}" for i in range(len(sizes)))
    (tmp_path / "main.c").write_text(
        f'#include "call.c"\n{blobs}int main(void) {{ return call(0xff, {call}); }}\n'
    )
    flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g", "-O1"]
    subprocess.run(["gcc", *flags, "-o", "main", "main.c"], cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "main"], check=True)


def test_the_same_bytes_in_every_process(tmp_path):
    script = (
        "import sys, hashlib; from pathlib import Path\n"
        "from aot.compiler import compile_model; from tests.support.native import options\n"
        "raw = Path(sys.argv[1]).read_bytes()\n"
        "files = compile_model(raw, 'm.tflite', options()).files\n"
        "print([(f.name, hashlib.sha256(f.text.encode()).hexdigest()) for f in files])\n"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", script, str(DIGITS)],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(answers) == 1


@pytest.mark.parametrize(("name", "bound"), MLPERF.items())
def test_workspace_is_at_the_lower_bound(name, bound):
    raw = (model_folder() / f"{name}.tflite").read_bytes()
    report = compile_model(raw, name, options(io_in_pools=True)).report
    assert report.memory.lower_bound == bound
    assert report.memory.workspace <= 1.02 * bound
    text = compile_model(raw, name, options()).files[-1].text
    assert f"{bound:,} bytes live at the busiest operator" in text
    assert f"{report.memory.workspace:,} bytes of workspace when the pools hold" in text


def on_board(board_name, models, folder, io_in_pools=False):
    """Runs the first vectors of every model of one firmware on a board."""
    board = load_board(board_name)
    if shutil.which(board.toolchain.compiler) is None:
        pytest.skip(f"needs {board.toolchain.compiler}")
    if board.emulation and shutil.which("qemu-system-arm") is None:
        pytest.skip("needs qemu-system-arm")
    compiled = [
        compile_model(
            p.read_bytes(),
            p.name,
            CompileOptions(p.stem, board.ir_pools(), io_in_pools=io_in_pools),
        )
        for p in models
    ]
    image, build_id = link(board, compiled, folder)
    for index, (path, model) in enumerate(zip(models, compiled, strict=True)):
        interface = read_interface(folder / "generated" / f"{model.module.name}.json")
        inputs = read_vectors(path.with_suffix(".npz"), "in", interface.inputs)
        expected = read_vectors(path.with_suffix(".npz"), "out", interface.outputs)
        few = Vectors(inputs.runs[:2], several=True)
        runs = run_vectors(board, image.elf, build_id, index, interface, few)
        assert not list(differences(runs.outputs, expected.runs[:2], interface.outputs))


BOARDS = ("host", "mps2-an385", "mps2-an386", "mps2-an500", "netduinoplus2")


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("io_in_pools", [False, True])
def test_two_models_in_one_firmware(board, io_in_pools, tmp_path):
    on_board(board, [DIGITS, WAVEFORM], tmp_path, io_in_pools)


@pytest.mark.parametrize("board", ["mps2-an386", "netduinoplus2"])
@pytest.mark.parametrize("name", MLPERF)
def test_mlperf_on_boards(name, board, tmp_path):
    on_board(board, [model_folder() / f"{name}.tflite"], tmp_path)


def test_constants_copied_to_ram(tmp_path):
    """The generated init function fills a writable constant pool before the first run."""
    from aot.pool_options import pools_of

    board = load_board("mps2-an386")
    if shutil.which(board.toolchain.compiler) is None or shutil.which("qemu-system-arm") is None:
        pytest.skip("needs arm-none-eabi-gcc and qemu-system-arm")
    pools = pools_of(board.ir_pools(), [], "ssram23")
    compiled = compile_model(DIGITS.read_bytes(), "digits", CompileOptions("digits", pools))
    assert len(compiled.module.images) > 10
    image, build_id = link(board, [compiled], tmp_path)
    interface = read_interface(tmp_path / "generated" / "digits.json")
    inputs = read_vectors(DIGITS.with_suffix(".npz"), "in", interface.inputs)
    expected = read_vectors(DIGITS.with_suffix(".npz"), "out", interface.outputs)
    few = Vectors(inputs.runs[:3], several=True)
    runs = run_vectors(board, image.elf, build_id, 0, interface, few)
    assert not list(differences(runs.outputs, expected.runs[:3], interface.outputs))
    assert np.array_equal(runs.outputs[0][0], expected.runs[0][0])
