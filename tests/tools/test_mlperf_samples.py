"""Data sets for MLPerf Tiny's runner: labels of the reference, each class, the runner's form."""

from __future__ import annotations

import csv
import subprocess
import sys

import numpy as np
import pytest

from tests.support.models import DIGITS, ROOT
from tests.support.oracle import reference_outputs
from tests.support.tflite_builder import ModelBuilder

pytest.importorskip("ai_edge_litert.interpreter", reason="needs ai-edge-litert")


def samples(*arguments):
    command = [sys.executable, str(ROOT / "tools" / "mlperf_samples.py"), *map(str, arguments)]
    return subprocess.run(
        command, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )


def files(folder):
    """Rows of the labels, read as the runner does, and the bytes of each file."""
    fields = ["file", "classes", "class", "bytes_to_send", "stride"]
    with (folder / "y_labels.csv").open() as file:
        rows = list(csv.DictReader(file, fieldnames=fields))
    return [(row, (folder / row["file"]).read_bytes()) for row in rows]


@pytest.fixture
def vectors(tmp_path):
    """Three digits of one class."""
    with np.load(DIGITS.with_suffix(".npz")) as arrays:
        labels = arrays["out0"].reshape(len(arrays["out0"]), -1).argmax(1)
        np.savez(tmp_path / "vectors.npz", in0=arrays["in0"][labels == 4][:3])
    return tmp_path / "vectors.npz"


@pytest.mark.parametrize(("benchmark", "offset"), [("ic01", 128), ("kws01", 0)])
def test_every_class_has_samples_that_the_reference_puts_there(
    benchmark, offset, vectors, tmp_path
):
    result = samples(benchmark, DIGITS, vectors, tmp_path / "set", "--per-class", 2)
    assert result.returncode == 0, result.stderr
    assert result.stdout == f"21 samples in {tmp_path / 'set' / benchmark}\n"
    found = files(tmp_path / "set" / benchmark)
    counts = [0] * 10
    for row, content in found:
        stored = (np.frombuffer(content, np.uint8).astype(np.int16) - offset).astype(np.int8)
        (output,) = reference_outputs(DIGITS.read_bytes(), [stored.reshape(1, 8, 8, 1)])
        assert int(row["class"]) == output.argmax() and row["classes"] == "10"
        counts[output.argmax()] += 1
    assert counts == [2, 2, 2, 2, 3, 2, 2, 2, 2, 2]
    assert len({content for _, content in found}) == len(found)


def test_the_same_inputs_give_the_same_files(vectors, tmp_path):
    for name in ("a", "b"):
        samples("ic01", DIGITS, vectors, tmp_path / name)
    assert files(tmp_path / "a" / "ic01") == files(tmp_path / "b" / "ic01")


def restorer():
    """int8 [1, 4] to [1, 4] that restores small values, in scale 0.5, and saturates large ones."""
    b = ModelBuilder()
    x = b.tensor((1, 4), "int8", scale=0.5, zero=3, name="x")
    w = b.tensor((4, 4), "int8", scale=1 / 64, zero=0, data=64 * np.eye(4))
    y = b.tensor((1, 4), "int8", scale=0.125, zero=-2, name="y")
    b.op("FULLY_CONNECTED", [x, w, -1], [y], ("FullyConnectedOptions", {}), 4)
    b.inputs, b.outputs = [x], [y]
    return b.build()


def test_windows_are_floats_and_anomalous_where_the_model_misses_more(tmp_path):
    (tmp_path / "net.tflite").write_bytes(restorer())
    stored = np.array([[[5, 1, 3, 4]], [[120, 3, 3, 3]], [[3, 3, 3, 9]]], np.int8)
    np.savez(tmp_path / "net.npz", in0=stored)
    result = samples("ad01", tmp_path / "net.tflite", tmp_path / "net.npz", tmp_path)
    assert result.returncode == 0, result.stderr
    found = files(tmp_path / "ad01")
    assert [row["class"] for row, _ in found] == ["0", "1", "0"]
    for (row, content), expected in zip(found, (stored - 3.0) / 2, strict=True):
        assert (row["bytes_to_send"], row["stride"]) == ("16", "16")
        np.testing.assert_array_equal(np.frombuffer(content, "<f4"), expected.reshape(-1))


def test_refusals(vectors, tmp_path):
    broken = tmp_path / "broken.tflite"
    broken.write_bytes(b"TFL3")
    constant = ModelBuilder()
    x = constant.tensor((1, 4), "float32", name="x")
    y = constant.tensor((1, 4), "float32", name="y")
    constant.op("RELU", [x], [y], None, 1)
    constant.inputs, constant.outputs = [x], [y]
    (tmp_path / "float.tflite").write_bytes(constant.build())
    for arguments, message in [
        (("ic01", broken, vectors), "broken.tflite: LiteRT cannot run it"),
        (("ic01", tmp_path / "none.tflite", vectors), "No such file"),
        (("ic01", tmp_path / "float.tflite", vectors), "the input is float32, not int8"),
        (("ic01", DIGITS, DIGITS), "cannot be read as .npz"),
        (("ad01", DIGITS, vectors), "10 outputs cannot restore 64 inputs"),
    ]:
        result = samples(*arguments, tmp_path / "set")
        assert result.returncode == 1 and "Traceback" not in result.stderr
        assert message in result.stderr
    assert not (tmp_path / "set").exists()
