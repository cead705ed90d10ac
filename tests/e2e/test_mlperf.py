"""The firmware answers MLPerf Tiny's public runner as it stands: its commands, pieces and forms."""

from __future__ import annotations

import re
import shutil
import time
from contextlib import contextmanager

import numpy as np
import pytest
import serial

from aot.boards.build import build_firmware
from aot.boards.firmware import firmware_plan
from aot.boards.loader import load_board
from aot.build import generate_firmware
from aot.codegen.benchmark import BenchmarkError
from aot.codegen.files import write_files
from aot.compiler import CompileOptions, compile_model
from aot.hil.runner import device
from tests.support.models import DIGITS
from tests.support.native import gcc
from tests.support.tflite_builder import ModelBuilder

# Bytes of input per command: alone, and where a power monitor is attached.
PIECES = (31, 26)
# Seconds that the runner waits for a line, and for one of `infer`.
PATIENCE, INFER_PATIENCE = 5, 30
NUMBER = r"-?[0-9]+(\.[0-9]+)?"


def firmware(raw, name, benchmark, folder, board_name="host", **options):
    gcc()
    board = load_board(board_name)
    model = compile_model(raw, name, CompileOptions(name, board.ir_pools(), **options))
    generated = generate_firmware(board, [model], benchmark)
    write_files(generated.files, folder / "gen")
    plan = firmware_plan(board, [folder / "gen" / n for n in generated.sources])
    return board, build_firmware(plan, folder).elf


class Runner:
    """Speaks as the public runner does: opens the port anew for each part of its work, throws
    nothing away, ends a line at \\n and an answer at a line with m-ready in it."""

    def __init__(self, port):
        self.name = port
        self.port = None

    @contextmanager
    def opened(self):
        with serial.Serial(self.name, 115200, timeout=0.1) as self.port:
            yield self

    def silence(self, seconds):
        """All that arrives until nothing has for ``seconds``."""
        text, deadline = "", time.monotonic() + seconds
        while time.monotonic() < deadline:
            if raw := self.port.read(1):
                text, deadline = text + raw.decode(), time.monotonic() + seconds
        return text

    def line(self, seconds):
        text, deadline = "", time.monotonic() + seconds
        while not text.endswith("\n"):
            assert time.monotonic() < deadline, f"no line after {text!r}"
            text += self.port.read(1).decode()
        return re.sub(r"[\n\r\0]", "", text)

    def send(self, command):
        """The lines that answer, without the ready that must be the last and the only one."""
        self.port.write(f"{command}%".encode())
        lines = []
        while not lines or "m-ready" not in lines[-1]:
            lines.append(self.line(INFER_PATIENCE if command.startswith("infer") else PATIENCE))
        assert lines[-1] == "m-ready"
        return lines[:-1]

    def load(self, raw, piece=PIECES[0]):
        assert self.send(f"db load {len(raw)}") == [f"m-[Expecting {len(raw)} bytes]"]
        pieces = [raw[at : at + piece].hex() for at in range(0, len(raw), piece)]
        answers = [self.send(f"db {text}") for text in pieces]
        assert answers == [[]] * (len(pieces) - 1) + [["m-load-done"]]

    def infer(self, runs=1, warm_ups=0):
        """Microseconds and results."""
        lines = self.send(f"infer {runs} {warm_ups}")
        patterns = (
            *(f"m-warmup-start-{warm_ups}", "m-warmup-done", f"m-infer-start-{runs}"),
            *(r"m-lap-us-([0-9]+)", r"m-lap-us-([0-9]+)", "m-infer-done"),
            rf"m-results-\[{NUMBER}(,{NUMBER})*\]",
        )
        assert len(lines) == len(patterns)
        for pattern, line in zip(patterns, lines, strict=True):
            assert re.fullmatch(pattern, line), line
        start, end = (int(line.removeprefix("m-lap-us-")) for line in lines[3:5])
        results = lines[-1].removeprefix("m-results-[").removesuffix("]")
        return end - start, [float(v) for v in results.split(",")]

    def results(self, *counts):
        return self.infer(*counts)[1]


@pytest.fixture
def runner(request, tmp_path):
    raw, name, benchmark = request.param
    board, image = firmware(raw, name, benchmark, tmp_path)
    with device(board, image) as port, Runner(port).opened() as opened:
        # What the program says at its start may come before the port is open, or after.
        opened.silence(0.5)
        yield opened


def picture(stored):
    """The bytes of a picture that the model takes as ``stored``."""
    return (stored.astype(np.int16) + 128).astype(np.uint8).tobytes()


def digits(count):
    """Inputs and the real numbers that the reference puts out."""
    with np.load(DIGITS.with_suffix(".npz")) as vectors:
        real = (vectors["out0"][:count].reshape(count, -1).astype(float) + 128) / 256
        return list(zip(vectors["in0"][:count], real, strict=True))


@pytest.mark.parametrize("name", ["host", "mps2-an386"])
def test_a_session_from_the_search_for_boards_to_the_results(name, tmp_path):
    for program in (load_board(name).toolchain.compiler, "qemu-system-arm"):
        if shutil.which(program) is None:
            pytest.skip(f"needs {program}")
    board, image = firmware(DIGITS.read_bytes(), "digits", "ic01", tmp_path, name)
    with device(board, image) as port:
        runner = Runner(port)
        # A search among boards of one vendor asks each for its name.
        with runner.opened():
            runner.port.write(b"name%")
            assert re.search(rf"m-name-dut-\[{name}\]", runner.silence(1))
        with runner.opened():
            runner.silence(0.2)
            assert runner.send("name") == [f"m-name-dut-[{name}]"]
            profile = runner.send("profile")
            # The runner keeps what is in the brackets and chooses its script by the model.
            assert re.fullmatch(r"m-profile-\[[^]]+\]", profile[0])
            assert profile[1:] == ["m-model-[ic01]"]
        # The last part starts without a pause.
        with runner.opened():
            for stored, real in digits(2):
                runner.load(picture(stored))
                np.testing.assert_allclose(runner.results(1, 0), real, atol=0.00051)


@pytest.mark.parametrize("runner", [(DIGITS.read_bytes(), "digits", "ic01")], indirect=True)
def test_time_covers_the_runs_and_not_those_to_warm_up(runner):
    ((stored, _),) = digits(1)
    runner.load(picture(stored))
    runs = [runner.infer(2000, 0)[0], runner.infer(2000, 20000)[0]]
    assert min(runs) > 0 and max(runs) < 5 * min(runs)
    assert runner.infer(20000, 0)[0] > 3 * min(runs)


@pytest.mark.parametrize("runner", [(DIGITS.read_bytes(), "digits", "ic01")], indirect=True)
@pytest.mark.parametrize("piece", PIECES)
def test_every_length_of_pieces(runner, piece):
    for stored, real in digits(2):
        runner.load(picture(stored), piece)
        np.testing.assert_allclose(runner.results(), real, atol=0.00051)


def maxima() -> bytes:
    """int8 [1, 96, 96, 3], the largest picture of the benchmark, to its maxima [1, 1, 1, 3]."""
    b = ModelBuilder()
    x = b.tensor((1, 96, 96, 3), "int8", scale=1 / 256, zero=-128, name="x")
    y = b.tensor((1, 1, 1, 3), "int8", scale=1 / 256, zero=-128, name="y")
    window = dict.fromkeys(("FilterHeight", "FilterWidth", "StrideH", "StrideW"), 96)
    b.op("MAX_POOL_2D", [x], [y], ("Pool2DOptions", {"Padding": 1, **window}), 2)
    b.inputs, b.outputs = [x], [y]
    return b.build()


@pytest.mark.parametrize("runner", [(maxima(), "maxima", "vww01")], indirect=True)
def test_the_largest_picture(runner):
    pixels = np.random.default_rng(1).integers(0, 250, (96, 96, 3)).astype(np.uint8)
    # First, last and some pixel in the middle.
    pixels[0, 0, 0], pixels[95, 95, 2], pixels[40, 7, 1] = 251, 252, 253
    raw = pixels.tobytes()
    assert len(raw) == 27648
    runner.load(raw)
    np.testing.assert_allclose(runner.results(), np.array([251, 253, 252]) / 256, atol=0.00051)


@pytest.mark.parametrize("runner", [(DIGITS.read_bytes(), "digits", "ic01")], indirect=True)
def test_what_only_people_and_power_monitors_ask(runner):
    assert re.fullmatch(r"m-lap-us-[0-9]+", runner.send("timestamp")[0])
    assert "infer N [W]%" in " ".join(runner.send("help"))
    ((stored, _),) = digits(1)
    runner.load(picture(stored))
    (line,) = [line for line in runner.send("infer 1 0") if line.startswith("m-results")]
    assert runner.send("results") == [line]
    printed = "".join(re.fullmatch(r"m-hex-\[(.*)\]", row)[1] for row in runner.send("db print"))
    assert bytes.fromhex(printed) == stored.tobytes()


@pytest.mark.parametrize("runner", [(DIGITS.read_bytes(), "digits", "ic01")], indirect=True)
def test_pictures_arrive_as_uint8(runner):
    for stored, real in digits(4):
        runner.load(picture(stored))
        np.testing.assert_allclose(runner.results(), real, atol=0.00051)


@pytest.mark.parametrize("runner", [(DIGITS.read_bytes(), "digits", "kws01")], indirect=True)
def test_spectra_arrive_as_stored_and_runs_repeat(runner):
    ((stored, real),) = digits(1)
    runner.load(stored.tobytes())
    once = runner.results()
    assert runner.results(5, 2) == once
    np.testing.assert_allclose(once, real, atol=0.00051)


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
    for runs in (1, 3):
        assert runner.results(runs) == [pytest.approx((16 + 4 + 1 + 0.25) / 4, abs=0.0006)]


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


def test_inputs_that_a_run_overwrites(tmp_path):
    with pytest.raises(BenchmarkError) as caught:
        firmware(DIGITS.read_bytes(), "digits", "ic01", tmp_path, io_in_pools=True)
    assert "do not survive a run inside the pools" in str(caught.value)
