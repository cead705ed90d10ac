"""The command line: what each command prints, and how bad calls end."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.support.models import DIGITS
from tests.support.tflite_builder import ModelBuilder

VECTORS = DIGITS.with_suffix(".npz")


def microaot(*args, cwd=None):
    command = [sys.executable, "-m", "aot.cli", *map(str, args)]
    environment = {"PYTHONPATH": ":".join(p for p in sys.path if p), "PATH": _path()}
    return subprocess.run(
        command, capture_output=True, text=True, cwd=cwd, env=environment, check=False
    )


def _path():
    import os

    return os.environ["PATH"]


def needs(*programs):
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"needs {program}")


def refused(result, *words, status=1):
    """One clear message, the status, and no traceback."""
    assert result.returncode == status, result
    assert "Traceback" not in result.stderr
    for word in words:
        assert word in result.stderr


def test_compile_writes_six_files(tmp_path):
    result = microaot("compile", DIGITS, "--board", "stm32f746", "-o", tmp_path / "out")
    assert result.returncode == 0, result.stderr
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        *("digits.c", "digits.h", "digits.json", "digits_data.c", "digits_data.h"),
        "digits_report.txt",
    ]
    assert "<- peak" in result.stdout
    content = json.loads((tmp_path / "out" / "digits.json").read_text())
    assert content["inputs"][0]["tensor"] == "image"
    assert content["memory"]["lower_bound"] == 3072


def test_generated_files_name_no_folder_of_this_machine(tmp_path):
    microaot("compile", DIGITS, "--board", "host", "-o", tmp_path)
    for path in tmp_path.iterdir():
        assert str(tmp_path) not in path.read_text()
        assert str(DIGITS.parent) not in path.read_text()


def test_dump_ir(tmp_path):
    ir = tmp_path / "ir"
    result = microaot("compile", DIGITS, "--board", "host", "-o", tmp_path / "o", "--dump-ir", ir)
    assert result.returncode == 0, result.stderr
    names = sorted(p.name for p in ir.iterdir())
    assert names[0] == "00_read.ir"
    assert names[-1].endswith("usmp.ConvertPoolAllocationsToOffsets.ir")


@pytest.mark.parametrize("planner", ["greedy_by_size", "greedy_by_conflicts", "hill_climb"])
def test_planners(planner, tmp_path):
    result = microaot("compile", DIGITS, "--board", "host", "-o", tmp_path, "--planner", planner)
    assert f"planned by {planner}" in result.stdout


def test_pools_and_placement(tmp_path):
    result = microaot(
        *("compile", DIGITS, "--board", "stm32f746", "-o", tmp_path),
        *("--pool", "sram2=2K", "--pool", "sram1", "--place", "*MaxPool*=sram1"),
    )
    assert result.returncode == 0, result.stderr
    pools = {
        p["name"]: p["bytes"] for p in json.loads((tmp_path / "digits.json").read_text())["pools"]
    }
    assert set(pools) == {"sram2", "sram1", "flash", "qspi"}
    assert pools["qspi"] == 0
    assert 0 < pools["sram2"] <= 2048
    assert pools["sram1"] > 0


def test_run_on_host(tmp_path):
    needs("gcc")
    out = tmp_path / "out.npz"
    result = microaot("run", DIGITS, "--board", "host", "--input", VECTORS, "--output", out)
    assert result.returncode == 0, result.stderr
    with np.load(out) as got, np.load(VECTORS) as expected:
        assert list(got) == ["out0"]
        np.testing.assert_array_equal(got["out0"], expected["out0"])


def test_run_of_one_input_keeps_the_models_shape(tmp_path):
    needs("gcc")
    with np.load(VECTORS) as vectors:
        np.savez(tmp_path / "one.npz", in0=vectors["in0"][0])
    out = tmp_path / "out.npz"
    microaot("run", DIGITS, "--board", "host", "--input", tmp_path / "one.npz", "--output", out)
    with np.load(out) as got:
        assert got["out0"].shape == (1, 10)


def test_test_on_an_emulated_board(tmp_path):
    needs("arm-none-eabi-gcc", "qemu-system-arm")
    junit = tmp_path / "r.xml"
    result = microaot(
        "test", DIGITS, "--board", "mps2-an386", "--vectors", VECTORS, "--junit", junit
    )
    assert result.returncode == 0, result.stderr
    assert "360 of 360 runs equal the reference bit for bit" in result.stdout
    assert "accuracy: 98.33 % (354 of 360); LiteRT: 98.33 %" in result.stdout
    assert 'failures="0"' in junit.read_text()


def test_test_names_the_first_difference(tmp_path):
    needs("gcc")
    with np.load(VECTORS) as vectors:
        wrong = vectors["out0"][:3].copy()
        wrong[1, 0, 4] += 1
        np.savez(tmp_path / "v.npz", in0=vectors["in0"][:3], out0=wrong)
    junit = tmp_path / "r.xml"
    result = microaot(
        "test", DIGITS, "--board", "host", "--vectors", tmp_path / "v.npz", "--junit", junit
    )
    assert result.returncode == 1
    assert "first difference: run 1, out0 (`probabilities`)" in result.stdout
    assert "first [0, 4]" in result.stdout
    assert 'failures="1"' in junit.read_text()


def test_bench_counts_the_same_every_time():
    needs("arm-none-eabi-gcc", "qemu-system-arm")
    answers = {
        microaot("bench", DIGITS, "--board", "mps2-an386", "--json").stdout for _ in range(2)
    }
    (answer,) = answers
    figures = json.loads(answer)
    assert figures["unit"] == "instructions"
    # A multiply-accumulate takes at least an instruction of the scalar kernels.
    assert figures["per_inference"] > figures["macs"] == 46592
    assert figures["ram"]["pools"] == 3072
    assert figures["ram"]["io"] == 0
    assert figures["ram"]["stack"] > 0
    assert figures["flash"]["weights"] == 3938
    assert figures["flash"]["code"] > 1000


def test_inspect():
    result = microaot("inspect", DIGITS)
    assert "module digits" in result.stdout
    assert "stage graph" in result.stdout
    planned = microaot("inspect", DIGITS, "--stage", "usmp.ConvertPoolAllocationsToOffsets")
    assert "stage planned" in planned.stdout
    refused(microaot("inspect", DIGITS, "--stage", "nosuch"), "no stage `nosuch`", "FoldConstants")


def test_inspect_against_an_earlier_text(tmp_path):
    text = tmp_path / "m.ir"
    text.write_text(microaot("inspect", DIGITS, "--stage", "LowerOperators").stdout)
    same = microaot("inspect", DIGITS, "--stage", "LowerOperators", "--against", text)
    assert (same.returncode, same.stdout) == (0, "no difference\n")
    changed = text.read_text().replace("module digits", "module other")
    text.write_text(changed)
    other = microaot("inspect", DIGITS, "--stage", "LowerOperators", "--against", text)
    assert other.returncode == 1
    assert "name" in other.stdout
    text.write_text("no module at all")
    refused(microaot("inspect", DIGITS, "--against", text), "m.ir: line 1")


def test_ops():
    lines = microaot("ops").stdout.splitlines()
    assert "CONV_2D  versions 1 to 8" in lines
    assert "  (int8, int8, int32?) -> int8" in lines


@pytest.mark.parametrize("argv", [(), ("nosuch",), ("compile", "m.tflite")])
def test_usage(argv):
    refused(microaot(*argv), "usage:", status=2)


def test_no_such_board(tmp_path):
    result = microaot("compile", DIGITS, "--board", "stm32f74", "-o", tmp_path / "o")
    refused(result, "unknown board", "stm32f746")
    assert not (tmp_path / "o").exists()


def test_no_such_model(tmp_path):
    result = microaot("compile", "nosuch.tflite", "--board", "host", "-o", tmp_path / "o")
    refused(result, "nosuch.tflite: cannot be read")
    assert not (tmp_path / "o").exists()


def test_truncated_model(tmp_path):
    model = tmp_path / "m.tflite"
    model.write_bytes(DIGITS.read_bytes()[:3000])
    result = microaot("compile", model, "--board", "host", "-o", tmp_path / "o")
    refused(result, "m.tflite: ")
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "o").exists()


def test_three_unsupported_operators(tmp_path):
    b = ModelBuilder()
    value = b.tensor((4,), "float32")
    b.inputs = [value]
    for code in ("EXP", "ABS", "FLOOR"):
        result = b.tensor((4,), "float32")
        b.op(code, [value], [result])
        value = result
    b.outputs = [value]
    (tmp_path / "m.tflite").write_bytes(b.build())
    result = microaot("compile", tmp_path / "m.tflite", "--board", "host", "-o", tmp_path / "o")
    refused(result, "3 things not supported", "EXP #0", "ABS #1", "FLOOR #2")
    assert not (tmp_path / "o").exists()


def test_pool_too_small(tmp_path):
    result = microaot(
        *("compile", DIGITS, "--board", "host", "-o", tmp_path / "o", "--pool", "ram=2K")
    )
    refused(result, "pool `ram` is 1024 bytes too small: it needs 3072 and has 2048", "#")
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--pool=dtm", "no workspace pool `dtm`; did you mean `dtcm`?"),
        ("--pool=dtcm=64X", "`64X` is no size"),
        ("--pool=dtcm=1M", "exceed"),
        ("--constants=nosuch", "no workspace pool `nosuch`"),
        ("--place=a", "names no buffers and pools"),
        ("--place=a=nosuch", "there is no pool `nosuch`"),
        ("--planner=nosuch", "no planner `nosuch`"),
    ],
)
def test_bad_options(option, message, tmp_path):
    result = microaot("compile", DIGITS, "--board", "stm32f746", "-o", tmp_path / "o", option)
    refused(result, message)
    assert not (tmp_path / "o").exists()


def test_vectors_that_do_not_fit(tmp_path):
    needs("gcc")
    np.savez(tmp_path / "v.npz", other=np.zeros(3))
    result = microaot(
        *("run", DIGITS, "--board", "host", "--input", tmp_path / "v.npz"),
        *("--output", tmp_path / "o.npz"),
    )
    refused(result, "has no array `in0`; it holds other")
    assert not (tmp_path / "o.npz").exists()


def test_record_that_cannot_be_written(tmp_path):
    needs("gcc")
    result = microaot(
        *("test", DIGITS, "--board", "host", "--vectors", VECTORS),
        *("--junit", tmp_path / "no" / "r.xml"),
    )
    refused(result, "r.xml: cannot be written: No such file or directory")


def test_read_only_output(tmp_path):
    (tmp_path / "file").write_text("")
    result = microaot("compile", DIGITS, "--board", "host", "-o", tmp_path / "file")
    refused(result, "cannot write")
    assert Path(tmp_path / "file").read_text() == ""
