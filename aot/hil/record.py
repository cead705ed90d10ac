"""What a test on a board leaves on the disk: a record as JSON, and one as JUnit XML."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from aot.errors import MicroaotError
from aot.hil.replacing import replacing

SCHEMA = 1
PASSED = "passed"
WRONG = "wrong outputs"


class RecordError(MicroaotError):
    """A record that cannot be written."""


@dataclass(frozen=True)
class ModelRecord:
    """One model of the firmware. The figures are those of the last inference and None where the
    model did not come to its end; ``accuracy`` is a share, where the vectors have labels."""

    name: str
    runs: int
    wrong: int
    ticks: int | None
    hz: int | None
    stack_bytes: int | None
    pools: tuple[tuple[str, int], ...]
    seconds: float
    accuracy: float | None


@dataclass(frozen=True)
class Record:
    """One test of one board. ``log`` has the last lines on the wire where it failed."""

    board: str
    probe: str | None
    port: str | None
    build_id: str
    models: tuple[ModelRecord, ...]
    retries: int
    verdict: str
    message: str
    log: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return self.verdict == PASSED


def verdict_of(error: MicroaotError) -> str:
    """The kind of ``error`` in words: of NoAnswerError `no answer`."""
    words = re.findall(r"[A-Z][a-z0-9]*", type(error).__name__.removesuffix("Error"))
    return " ".join(words).lower()


def write_record(path: Path, record: Record) -> None:
    """Writes ``record`` as JSON. Raises RecordError."""
    content = {"schema": SCHEMA, **asdict(record)}
    for entry, model in zip(content["models"], record.models, strict=True):
        entry["pools"] = dict(model.pools)
    with replacing(path, RecordError) as out:
        out.write(json.dumps(content, indent=2).encode() + b"\n")


def write_junit(path: Path, board: str, cases: Sequence[tuple[str, str]]) -> None:
    """Writes one test case per model: its name, and why it failed if it did. Raises RecordError."""
    failed = sum(1 for _, failure in cases if failure)
    suite = ET.Element(
        "testsuite", name=f"microaot.{board}", tests=str(len(cases)), failures=str(failed)
    )
    for name, failure in cases:
        case = ET.SubElement(suite, "testcase", classname=board, name=name)
        if failure:
            first = _xml(failure.splitlines()[0])
            ET.SubElement(case, "failure", message=first).text = _xml(failure)
    with replacing(path, RecordError) as out:
        ET.ElementTree(suite).write(out, encoding="utf-8", xml_declaration=True)


def _xml(text: str) -> str:
    """``text`` without the control characters that XML 1.0 has no way to write."""
    return re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)
