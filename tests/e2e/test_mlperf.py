"""The firmware answers MLPerf Tiny's public runner as it stands: its commands, pieces and forms."""

from __future__ import annotations

import re

import numpy as np
import pytest

from aot.boards.build import build_firmware
from aot.boards.firmware import firmware_plan
from aot.boards.loader import load_board
from aot.build import generate_firmware
from aot.codegen.benchmark import BenchmarkError
from aot.codegen.files import write_files
from aot.compiler import CompileOptions, compile_model
from aot.hil.runner import start
from tests.support.models import DIGITS
from tests.support.native import gcc
from tests.support.tflite_builder import ModelBuilder

# The runner sends 31 bytes a command and reads lines until one says m-ready.
PIECE = 31


def firmware(raw, name, benchmark, folder):
    gcc()
    board = load_board("host")
    model = compile_model(raw, name, CompileOptions(name, board.ir_pools()))
    generated = generate_firmware(board, [model], benchmark)
    write_files(generated.files, folder / "gen")
    plan = firmware_plan(board, [folder / "gen" / n for n in generated.sources])
    return board, build_firmware(plan, folder).elf


class Runner:
    """Speaks as the public runner does."""

    def __init__(self, console):
        self.console = console

    def send(self, command):
        self.console.send(f"{command}%")
        lines = []
        while not lines or lines[-1] != "m-ready":
            lines.append(self.console.line(10))
        return lines[:-1]

    def load(self, raw):
        lines = self.send(f"db load {len(raw)}")
        assert lines == [f"m-[Expecting {len(raw)} bytes]"]
        for at in range(0, len(raw), PIECE):
            lines = self.send(f"db {raw[at : at + PIECE].hex()}")
        assert lines == ["m-load-done"]

    def results(self, command="infer 1 0"):
        lines = self.send(command)
        laps = [line for line in lines if re.fullmatch(r"m-lap-us-[0-9]+", line)]
        assert len(laps) == 2
        (line,) = [line for line in lines if line.startswith("m-results-")]
        match = re.fullmatch(r"m-results-\[([^]]+)\]", line)
        return [float(v) for v in match[1].split(",")]


@pytest.fixture
def runner(request, tmp_path):
    raw, name, benchmark = request.param
    board, image = firmware(raw, name, benchmark, tmp_path)
    with start(board, image) as console:
        # What the program says at its start may come before the port is open, or after.
        console.drain(0.5)
        yield Runner(console)


@pytest.mark.parametrize("runner", [(DIGITS.read_bytes(), "digits", "ic01")], indirect=True)
def test_pictures_arrive_as_uint8(runner):
    assert runner.send("name") == ["m-name-dut-[host]"]
    profile = runner.send("profile")
    assert "m-model-[ic01]" in profile
    with np.load(DIGITS.with_suffix(".npz")) as vectors:
        for stored, expected in zip(vectors["in0"][:4], vectors["out0"][:4], strict=True):
            runner.load((stored.astype(np.int16) + 128).astype(np.uint8).tobytes())
            real = (expected.reshape(-1).astype(float) + 128) / 256
            np.testing.assert_allclose(runner.results(), real, atol=0.00051)


@pytest.mark.parametrize("runner", [(DIGITS.read_bytes(), "digits", "kws01")], indirect=True)
def test_spectra_arrive_as_stored_and_runs_repeat(runner):
    with np.load(DIGITS.with_suffix(".npz")) as vectors:
        runner.load(vectors["in0"][0].tobytes())
        once = runner.results()
        assert runner.results("infer 5 2") == once
        expected = (vectors["out0"][0].reshape(-1).astype(float) + 128) / 256
    np.testing.assert_allclose(once, expected, atol=0.00051)


def half() -> bytes:
    """int8 [1, 4] to [1, 4]: half of each element, in scale 0.5 with zero point 3."""
    b = ModelBuilder()
    x = b.tensor((1, 4), "int8", scale=0.5, zero=3, name="x")
    w = b.tensor((4, 4), "int8", scale=1 / 128, zero=0, data=64 * np.eye(4))
    y = b.tensor((1, 4), "int8", scale=0.5, zero=-2, name="y")
    b.op("FULLY_CONNECTED", [x, w, -1], [y], ("FullyConnectedOptions", {}), 4)
    b.inputs, b.outputs = [x], [y]
    return b.build()


@pytest.mark.parametrize("runner", [(half(), "half", "ad01")], indirect=True)
def test_sound_arrives_as_floats_and_one_number_comes_back(runner):
    window = np.array([8.0, -4.0, 2.0, 1.0], "<f4")
    runner.load(window.tobytes())
    # Each output is half of its input, so that the errors are 4, -2, 1 and 0.5.
    assert runner.results() == [pytest.approx((16 + 4 + 1 + 0.25) / 4, abs=0.0006)]


@pytest.mark.parametrize("runner", [(DIGITS.read_bytes(), "digits", "ic01")], indirect=True)
@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("db load 63", "e-[The model takes 64 bytes]"),
        ("db load 999999999999", "e-[The model takes 64 bytes]"),
        ("db 00", "e-[More bytes than announced]"),
        ("db 0", "e-[Insufficient number of hex digits]"),
        ("infer 1 0", "e-[Inputs are not loaded]"),
        ("model 7", "e-[No such model]"),
        ("nonsense", "e-[Unknown command]"),
        ("x" * 3000, "e-[Command too long]"),
    ],
)
def test_refusals(runner, command, answer):
    assert runner.send(command) == [answer]


@pytest.mark.parametrize("runner", [(DIGITS.read_bytes(), "digits", "ic01")], indirect=True)
def test_a_bad_digit_loads_nothing(runner):
    runner.send("db load 64")
    before = runner.send("crc")
    assert runner.send("db 55zz") == ["e-[Not a hex digit]"]
    assert runner.send("crc") == before


@pytest.mark.parametrize(
    ("name", "raw", "message"),
    [
        ("ic02", DIGITS.read_bytes(), "no benchmark ic02; did you mean ic01?"),
        ("ad01", DIGITS.read_bytes(), "of which the sizes differ"),
    ],
)
def test_models_that_cannot_stand_for_a_benchmark(name, raw, message, tmp_path):
    with pytest.raises(BenchmarkError) as caught:
        firmware(raw, "digits", name, tmp_path)
    assert message in str(caught.value)
