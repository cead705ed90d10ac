"""MLPerf Tiny's public runner, unmodified, on an emulated board: accuracy and performance.

MICROAOT_MLPERF_RUNNER names its folder (benchmark/runner of a checkout), MICROAOT_MLPERF_PYTHON
the interpreter that has what it imports, where that is not the one that runs the tests.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from tests.support.models import ROOT, model_folder
from tests.support.oracle import reference_outputs

BOARD = "mps2-an386"
# Model, devices of the runner, what turns a byte of a sample into a stored value.
BENCHMARKS = {
    "ic01": ("mlperf_ic_resnet8_int8", "devices_kws_ic_vww.yaml", -128),
    "kws01": ("mlperf_kws_dscnn_int8", "devices_kws_ic_vww.yaml", 0),
}
# Long enough for the ten seconds that five windows must take, short enough for the thirty in
# which the runner wants an answer, also where the machine is three times as fast or slow.
WINDOW_SECONDS = 7


@dataclass
class Bench:
    """A running board and what the runner needs."""

    port: str
    benchmark: str
    model: Path
    folder: Path
    runner: Path
    python: str

    def run(self, mode, script):
        """What the runner prints in a folder of its own, and its results.json."""
        folder = self.folder / mode
        folder.mkdir()
        devices = self.runner / BENCHMARKS[self.benchmark][1]
        command = [
            *(self.python, ROOT / "tools" / "mlperf_runner.py", self.port, self.runner),
            *("-d", devices, "-t", script, "-s", self.folder / "datasets", "-m", mode),
        ]
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stdout + result.stderr
        (session,) = (folder / "sessions").iterdir()
        return result.stdout, json.loads((session / "results.json").read_text())

    def expected(self, file):
        """The reference's real outputs for a sample."""
        content = (self.folder / "datasets" / self.benchmark / file).read_bytes()
        bytes_ = np.frombuffer(content, np.uint8).astype(np.int16)
        stored = (bytes_ + BENCHMARKS[self.benchmark][2]).astype(np.uint8).view(np.int8)
        shape = (1, 32, 32, 3) if self.benchmark == "ic01" else (1, 49, 10, 1)
        (output,) = reference_outputs(self.model.read_bytes(), [stored.reshape(shape)])
        # Both models end in a softmax of scale 1/256 and zero point -128.
        return (output.reshape(-1).astype(float) + 128) / 256


@pytest.fixture(scope="module", params=sorted(BENCHMARKS))
def bench(request, tmp_path_factory):
    runner, python = the_runner()
    model = model_folder() / f"{BENCHMARKS[request.param][0]}.tflite"
    if not model.is_file():
        pytest.skip(f"MICROAOT_MODELS has no {model.name}")
    for program in ("arm-none-eabi-gcc", "qemu-system-arm"):
        if shutil.which(program) is None:
            pytest.skip(f"needs {program}")
    folder = tmp_path_factory.mktemp(request.param)
    samples(request.param, model, folder / "datasets")
    with served(request.param, model, folder) as port:
        yield Bench(port, request.param, model, folder, runner, python)


@pytest.fixture(scope="module")
def accuracy(bench):
    """What the runner prints and records in accuracy mode."""
    return bench.run("a", bench.runner / "tests_accuracy.yaml")


def the_runner():
    """Its folder and the interpreter for it; skips the test where either is missing."""
    named = os.environ.get("MICROAOT_MLPERF_RUNNER")
    if not named:
        pytest.skip("MICROAOT_MLPERF_RUNNER names no checkout's benchmark/runner")
    if not (Path(named) / "main.py").is_file():
        pytest.skip(f"MICROAOT_MLPERF_RUNNER={named} has no main.py")
    python = os.environ.get("MICROAOT_MLPERF_PYTHON", sys.executable)
    imports = "import matplotlib, numpy, serial, sklearn, usb.core, yaml"
    found = subprocess.run([python, "-c", imports], capture_output=True, text=True, check=False)
    if found.returncode:
        pytest.skip(f"{python} cannot run it: {found.stderr.strip().splitlines()[-1]}")
    return Path(named).resolve(), python


def samples(benchmark, model, folder):
    tool = ROOT / "tools" / "mlperf_samples.py"
    command = [sys.executable, tool, benchmark, model, model.with_suffix(".npz"), folder]
    subprocess.run(command, env={"PYTHONPATH": str(ROOT)}, check=True)


@contextmanager
def served(benchmark, model, folder):
    """The port of a board that SCons serves until the context ends."""
    for name in ("aot", "boards", "firmware", "site_scons", "examples", "SConstruct"):
        (folder / name).symlink_to(ROOT / name)
    variables = [f"BOARD={BOARD}", f"MODEL={model}", f"MLPERF={benchmark}"]
    with subprocess.Popen(
        [sys.executable, "-m", "SCons", "-Q", *variables, "serve"],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            answer = next(line for line in process.stdout if "answers on" in line)
            yield re.match(rf"{BOARD} answers on (\S+) ", answer)[1]
            process.send_signal(signal.SIGINT)
            process.wait(20)
        finally:
            process.kill()


def test_accuracy(bench, accuracy):
    text, results = accuracy
    assert "Top 1% = 100.0" in text, text[-500:]
    for result in results:
        real = result["infer"]["results"]
        np.testing.assert_allclose(real, bench.expected(result["file"]), atol=0.00051)
    (classes,) = {int(result["classes"]) for result in results}
    assert {int(result["class"]) for result in results} == set(range(classes))


def test_performance(bench, accuracy):
    one = np.median([result["infer"]["elapsed_time"] for result in accuracy[1]]) / 1e6
    runs = int(WINDOW_SECONDS / one)
    own = bench.runner / "tests_performance.yaml"
    script = bench.folder / "tests_performance.yaml"
    script.write_text(re.sub(r"infer \d+ (\d+)", rf"infer {runs} \1", own.read_text()))
    text, results = bench.run("p", script)
    assert "ERROR" not in text, text[-500:]
    assert [result["infer"]["iterations"] for result in results] == [runs] * 5
    for result in results:
        real = result["infer"]["results"]
        np.testing.assert_allclose(real, bench.expected(result["file"]), atol=0.00051)
    median = np.median([runs * 1e6 / result["infer"]["elapsed_time"] for result in results])
    (printed,) = re.findall(r"Median throughput is +([0-9.]+) inf\./sec\.", text)
    assert float(printed) == pytest.approx(median, abs=0.001)
    assert 0.1 < median * one < 10
