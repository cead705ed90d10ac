"""A test on a board: vectors in over the console, outputs compared, a record as JUnit XML."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from aot.boards.board import Board
from aot.errors import MicroaotError
from aot.hil.interface import ModelInterface, read_interface
from aot.hil.replacing import replacing
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


class RecordError(MicroaotError):
    """A JUnit record that cannot be written."""


@dataclass(frozen=True)
class TestOutcome:
    """Whether every output was right, and what to tell the user, in lines."""

    __test__ = False  # pytest collects classes by their names

    passed: bool
    text: str


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
) -> Runs:
    """Starts ``image``, or finds it at ``port``, and runs its model ``index`` once per run of
    ``vectors``.

    Raises a HilError where the board does not answer, or answers with another build.
    """
    with start(board, image, counting, port) as console:
        session = Session(console, board.timeout_multiplier)
        session.sync()
        session.check(board.name, build_id)
        session.select(index)
        outputs = []
        for tensors in vectors.runs:
            raw = session.run(b"".join(t.tobytes() for t in tensors))
            outputs.append(tuple(s.array(r) for s, r in zip(interface.outputs, raw, strict=True)))
        return Runs(tuple(outputs), console.label, session.measure(), session.retries)


def run_test(
    board: Board,
    image: Path,
    build_id: str,
    metadata: Sequence[Path],
    vectors: Sequence[Path],
    junit: Path | None = None,
    port: str | None = None,
) -> TestOutcome:
    """Tests every model of a firmware against the outputs in its file of vectors.

    ``metadata`` are the models' .json files in the firmware's order; ``port`` is where the board
    answers, where no runner starts it. Integers must be equal,
    floats within 1e-5 relative or 1e-6 absolute. Where a file has ``labels``, the accuracy of
    the first output is told beside that of the expected one.
    """
    lines: list[str] = []
    cases: list[tuple[str, str]] = []
    for index, (described, path) in enumerate(zip(metadata, vectors, strict=True)):
        interface = read_interface(described)
        inputs = read_vectors(path, "in", interface.inputs)
        expected = read_vectors(path, "out", interface.outputs)
        failure = ""
        try:
            runs = run_vectors(board, image, build_id, index, interface, inputs, port=port)
            found = list(differences(runs.outputs, expected.runs, interface.outputs))
            lines += _summary(interface, runs, expected, path, found)
            failure = "\n".join(found)
        except MicroaotError as error:
            failure = str(error)
            lines.append(f"{interface.name}: {error}")
        cases.append((interface.name, failure))
    if junit is not None:
        _write_junit(junit, board.name, cases)
    return TestOutcome(not any(failure for _, failure in cases), "\n".join(lines))


def _summary(
    interface: ModelInterface, runs: Runs, expected: Vectors, path: Path, found: list[str]
) -> list[str]:
    rule = (
        f"within {RELATIVE:g} relative or {ABSOLUTE:g} absolute"
        if any(s.numpy.kind == "f" for s in interface.outputs)
        else "bit for bit"
    )
    total = len(runs.outputs)
    wrong = len({line.split(",")[0] for line in found})
    verdict = f"{total - wrong} of {total} runs equal the reference {rule}"
    lines = [f"{interface.name} on {runs.label}: {verdict}"]
    if found:
        lines.append(f"first difference: {found[0]}")
    lines += _accuracy(runs, expected, path)
    if runs.measurement.stack_bytes:
        lines.append(f"stack used: {runs.measurement.stack_bytes} bytes")
    if runs.retries:
        lines.append(f"exchanges repeated: {runs.retries}")
    return lines


def _accuracy(runs: Runs, expected: Vectors, path: Path) -> list[str]:
    with np.load(path, allow_pickle=False) as file:
        if "labels" not in file:
            return []
        labels = np.asarray(file["labels"]).reshape(-1)
    if len(labels) != len(runs.outputs):
        return []
    ours, theirs = (
        sum(int(np.argmax(o[0])) == int(label) for o, label in zip(many, labels, strict=True))
        for many in (runs.outputs, expected.runs)
    )
    total = len(labels)
    return [
        f"accuracy: {100 * ours / total:.2f} % ({ours} of {total}); "
        f"LiteRT: {100 * theirs / total:.2f} % ({theirs} of {total})"
    ]


def _write_junit(path: Path, board: str, cases: list[tuple[str, str]]) -> None:
    """One test case per model."""
    failed = sum(1 for _, failure in cases if failure)
    suite = ET.Element(
        "testsuite", name=f"microaot.{board}", tests=str(len(cases)), failures=str(failed)
    )
    for name, failure in cases:
        case = ET.SubElement(suite, "testcase", classname=board, name=name)
        if failure:
            ET.SubElement(case, "failure", message=failure.splitlines()[0]).text = failure
    with replacing(path, RecordError) as out:
        ET.ElementTree(suite).write(out, encoding="utf-8", xml_declaration=True)
