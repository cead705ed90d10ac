"""A test on a board: vectors in over the console, outputs compared, what was found recorded."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from aot.boards.board import Board
from aot.errors import MicroaotError
from aot.hil.interface import ModelInterface, read_interface
from aot.hil.record import PASSED, WRONG, ModelRecord, Record, verdict_of, write_junit
from aot.hil.runner import start
from aot.hil.session import Measurement, Session
from aot.hil.vectors import (
    ABSOLUTE,
    RELATIVE,
    Tensors,
    Vectors,
    differences,
    read_vectors,
)

Labels = npt.NDArray[Any] | None
"""The class that each run's first output should name."""


@dataclass(frozen=True)
class TestOutcome:
    """Whether every output was right, what to tell the user, in lines, and the record of it."""

    __test__ = False  # pytest collects classes by their names

    text: str
    record: Record

    @property
    def passed(self) -> bool:
        return self.record.passed


@dataclass
class Wire:
    """What went over the line: it outlives the failure that ends a run."""

    log: list[str] = field(default_factory=list)
    retries: int = 0


@dataclass(frozen=True)
class Runs:
    """The outputs of all runs on a board, where they ran, and the figures of the last."""

    outputs: tuple[Tensors, ...]
    label: str
    measurement: Measurement
    retries: int


def run_vectors(
    board: Board,
    image: Path,
    build_id: str,
    index: int,
    interface: ModelInterface,
    vectors: Vectors,
    counting: bool = False,
    port: str | None = None,
    wire: Wire | None = None,
) -> Runs:
    """Starts ``image``, or finds it at ``port``, and runs its model ``index`` once per run of
    ``vectors``. ``wire`` is told what went over the line, whether that succeeds or not.

    Raises a HilError where the board does not answer, or answers with another build.
    """
    with start(board, image, counting, port) as console:
        session = Session(console, board.timeout_multiplier)
        try:
            session.sync()
            session.check(board.name, build_id)
            session.select(index)
            outputs = []
            for tensors in vectors.runs:
                raw = session.run(b"".join(t.tobytes() for t in tensors))
                outputs.append(
                    tuple(s.array(r) for s, r in zip(interface.outputs, raw, strict=True))
                )
            return Runs(tuple(outputs), console.label, session.measure(), session.retries)
        finally:
            if wire is not None:
                wire.log[:] = console.log
                wire.retries = session.retries


def run_test(
    board: Board,
    image: Path,
    build_id: str,
    metadata: Sequence[Path],
    vectors: Sequence[Path],
    junit: Path | None = None,
    port: str | None = None,
    probe: str | None = None,
) -> TestOutcome:
    """Tests every model of a firmware against the outputs in its file of vectors.

    ``metadata`` are the models' .json files in the firmware's order; ``port`` is where the board
    answers, where no runner starts it; ``probe`` is for the record alone. Integers must be equal,
    floats within 1e-5 relative or 1e-6 absolute. Where a file has ``labels``, the accuracy of
    the first output is told beside that of the expected one.
    """
    tested = []
    for index, (described, path) in enumerate(zip(metadata, vectors, strict=True)):
        interface = read_interface(described)
        given = read_vectors(path, "in", interface.inputs)
        expected = read_vectors(path, "out", interface.outputs)
        labels = _labels(path, len(expected.runs))
        run = partial(run_vectors, board, image, build_id, index, interface, given, port=port)
        tested.append(_test_model(interface, expected, labels, run))
    if junit is not None:
        write_junit(junit, board.name, [(t.record.name, t.failure) for t in tested])
    failed = next((t for t in tested if t.failure), None)
    return TestOutcome(
        "\n".join(line for t in tested for line in t.lines),
        Record(
            board.name,
            probe,
            port,
            build_id,
            tuple(t.record for t in tested),
            sum(t.wire.retries for t in tested),
            failed.verdict if failed else PASSED,
            failed.failure.splitlines()[0] if failed else "",
            tuple(failed.wire.log) if failed else (),
        ),
    )


@dataclass(frozen=True)
class _Tested:
    """One model's part of an outcome; ``failure`` is empty where it passed."""

    record: ModelRecord
    lines: list[str]
    verdict: str
    failure: str
    wire: Wire


def _test_model(
    interface: ModelInterface, expected: Vectors, labels: Labels, run: Callable[..., Runs]
) -> _Tested:
    wire = Wire()
    began = time.monotonic()
    runs, found = None, []
    try:
        runs = run(wire=wire)
        found = list(differences(runs.outputs, expected.runs, interface.outputs))
        lines = _summary(interface, runs, expected, labels, found)
        verdict, failure = WRONG if found else PASSED, "\n".join(found)
    except MicroaotError as error:
        lines = [f"{interface.name}: {error}"]
        verdict, failure = verdict_of(error), str(error)
    seconds = round(time.monotonic() - began, 3)
    record = _model(interface.name, runs, found, labels, seconds)
    return _Tested(record, lines, verdict, failure, wire)


def _model(
    name: str, runs: Runs | None, found: list[str], labels: Labels, seconds: float
) -> ModelRecord:
    if runs is None:
        return ModelRecord(name, 0, 0, None, None, None, (), seconds, None)
    total = len(runs.outputs)
    return ModelRecord(
        name,
        total,
        _wrong(found),
        runs.measurement.ticks,
        runs.measurement.hz,
        runs.measurement.stack_bytes,
        runs.measurement.pool_bytes,
        seconds,
        None if labels is None else round(_right(runs.outputs, labels) / total, 6),
    )


def _summary(
    interface: ModelInterface, runs: Runs, expected: Vectors, labels: Labels, found: list[str]
) -> list[str]:
    rule = (
        f"within {RELATIVE:g} relative or {ABSOLUTE:g} absolute"
        if any(s.numpy.kind == "f" for s in interface.outputs)
        else "bit for bit"
    )
    total = len(runs.outputs)
    verdict = f"{total - _wrong(found)} of {total} runs equal the reference {rule}"
    lines = [f"{interface.name} on {runs.label}: {verdict}"]
    if found:
        lines.append(f"first difference: {found[0]}")
    lines += _accuracy(runs, expected, labels)
    if runs.measurement.stack_bytes:
        lines.append(f"stack used: {runs.measurement.stack_bytes} bytes")
    if runs.retries:
        lines.append(f"exchanges repeated: {runs.retries}")
    return lines


def _wrong(found: list[str]) -> int:
    """How many runs the lines of ``differences`` tell of."""
    return len({line.split(",")[0] for line in found})


def _labels(path: Path, runs: int) -> Labels:
    """The label of each run, None where the file has none."""
    with np.load(path, allow_pickle=False) as file:
        if "labels" not in file:
            return None
        labels: npt.NDArray[Any] = np.asarray(file["labels"]).reshape(-1)
    return labels if len(labels) == runs else None


def _right(outputs: Sequence[Tensors], labels: npt.NDArray[Any]) -> int:
    """How many runs' first output is highest where the label says."""
    return sum(int(np.argmax(o[0])) == int(label) for o, label in zip(outputs, labels, strict=True))


def _accuracy(runs: Runs, expected: Vectors, labels: Labels) -> list[str]:
    if labels is None:
        return []
    ours, theirs = (_right(outputs, labels) for outputs in (runs.outputs, expected.runs))
    total = len(labels)
    return [
        f"accuracy: {100 * ours / total:.2f} % ({ours} of {total}); "
        f"LiteRT: {100 * theirs / total:.2f} % ({theirs} of {total})"
    ]
