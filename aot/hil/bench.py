"""Tests the boards of a bench: each is held, programmed, run and recorded; a table tells of all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from aot.errors import MicroaotError
from aot.hil.errors import HilError
from aot.hil.lab import LabEntry
from aot.hil.labgrid_place import acquired
from aot.hil.locks import Holder, lock_folder, locked, port_key, probe_key
from aot.hil.ports import NoPortError, connected_ports, find_port
from aot.hil.record import Record, verdict_of, write_junit, write_record
from aot.hil.testing import run_test


class RemoteBoardError(HilError):
    """A board that cannot be programmed from here."""


RECORD, JUNIT = "test.json", "test.xml"
_WAIT_SECONDS = 120.0

Program = Callable[..., str]
"""Programs a board: takes it, the image, and by name ``probe`` and ``runner``, and tells of it."""


@dataclass(frozen=True)
class Job:
    """A firmware, its vectors, the board of the bench that runs it, and the folder of records.

    ``command`` is what whoever waits for the board is told.
    """

    entry: LabEntry
    image: Path
    build_id: str
    metadata: tuple[Path, ...]
    vectors: tuple[Path, ...]
    folder: Path
    command: str


@dataclass(frozen=True)
class Result:
    """How one board's test ended; ``error`` is what kept it from its end, if anything did."""

    entry: LabEntry
    text: str
    record: Record
    error: MicroaotError | None = None


@contextmanager
def held(entry: LabEntry, command: str, locks: Path | None = None) -> Iterator[str | None]:
    """Holds the board against other programs; yields its port, None where its runner opens one.

    Raises PortBusyError where another program keeps it, or what finding the port or labgrid
    raises. ``locks`` is the folder of the locks, where it is not the user's.
    """
    with ExitStack() as stack:
        if entry.place is not None:
            yield stack.enter_context(acquired(entry.place))
            return
        port = entry.port
        if port is None and not entry.starts:
            port = find_port(entry.board, connected_ports(), entry.probe)
        _lock(stack, entry, port, command, locks)
        yield port


def flash_only(
    entry: LabEntry, image: Path, command: str, program: Program, locks: Path | None = None
) -> str:
    """Programs a board that is held against other programs meanwhile; says what was done.

    Its port need not be there. Raises RemoteBoardError for a place of labgrid, PortBusyError,
    AmbiguousPortError, or what ``program`` raises.
    """
    if entry.place is not None:
        raise RemoteBoardError(
            "hangs at another machine, and its probe with it",
            where=f"board {entry.name}",
            remedy="program it there",
        )
    with ExitStack() as stack:
        port = entry.port
        if port is None and not entry.starts:
            with suppress(NoPortError):
                port = find_port(entry.board, connected_ports(), entry.probe)
        _lock(stack, entry, port, command, locks)
        return str(program(entry.board, image, probe=entry.probe, runner=entry.runner))


def _lock(
    stack: ExitStack, entry: LabEntry, port: str | None, command: str, locks: Path | None
) -> None:
    folder = locks or lock_folder()
    holder = Holder(os.getpid(), entry.board.name, command)
    keys = [probe_key(entry.probe)] if entry.probe else []
    # Everyone takes the probe before the port, so no two wait for each other.
    for key in [*keys, *([port_key(port)] if port else [])]:
        stack.enter_context(locked(key, holder, _WAIT_SECONDS, folder))


def flash_and_test(job: Job, program: Program, locks: Path | None = None) -> Result:
    """Tests one board and leaves its records in the job's folder, whatever comes.

    ``program`` programs the board where no runner starts it; a place of labgrid runs what was
    programmed where it hangs. Raises RecordError alone.
    """
    for name in (RECORD, JUNIT):
        (job.folder / name).unlink(missing_ok=True)
    entry = job.entry
    try:
        with held(entry, job.command, locks=locks) as port:
            said = ""
            if entry.is_programmed:
                said = program(entry.board, job.image, probe=entry.probe, runner=entry.runner)
            outcome = run_test(
                entry.board,
                job.image,
                job.build_id,
                job.metadata,
                job.vectors,
                job.folder / JUNIT,
                port,
                entry.probe,
            )
        text = f"{said}\n{outcome.text}".strip()
        result = Result(entry, text, outcome.record)
    except MicroaotError as error:
        record = Record(
            entry.board.name,
            entry.probe,
            entry.port,
            job.build_id,
            (),
            0,
            verdict_of(error),
            str(error),
            (),
        )
        result = Result(entry, str(error), record, error)
        write_junit(job.folder / JUNIT, entry.board.name, [("test", str(error))])
    write_record(job.folder / RECORD, result.record)
    return result


def table(entries: Sequence[LabEntry], results: Sequence[Result]) -> str:
    """One row per board: where it hangs, how it ended, runs that were right, time, retries.

    A board without a result is one whose firmware was not built.
    """
    by_name = {r.entry.name: r.record for r in results}
    rows = [("board", "where", "verdict", "right", "seconds", "retries")]
    for entry in entries:
        record = by_name.get(entry.name)
        if record is None:
            rows.append((entry.name, entry.identity, "not built", "-", "-", "-"))
            continue
        runs = sum(m.runs for m in record.models)
        right = runs - sum(m.wrong for m in record.models)
        seconds = sum(m.seconds for m in record.models)
        rows.append(
            (
                entry.name,
                entry.identity,
                record.verdict,
                f"{right} of {runs}" if runs else "-",
                f"{seconds:.1f}",
                str(record.retries),
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) for row in rows]
    passed = sum(1 for e in entries if e.name in by_name and by_name[e.name].passed)
    return "\n".join([*(line.rstrip() for line in lines), f"{passed} of {len(entries)} passed"])
