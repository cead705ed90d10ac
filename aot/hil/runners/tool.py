"""Runners whose work a program does: one or more command lines, judged by what it prints."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from aot.boards.board import Board
from aot.hil.process import Finished, run
from aot.hil.runners.base import Capabilities, FlashJob, Program
from aot.hil.runners.errors import (
    FlashContradictedError,
    FlashError,
    FlashFailedError,
    FlashFloodsError,
    FlashHangsError,
    FlashUnprovenError,
)
from aot.hil.runners.programs import check_program, check_version

_LAST_LINES = 4
_LAST_CHARACTERS = 400


@dataclass(frozen=True)
class Words:
    """What a program's output tells, as regular expressions: every one of ``success`` is there
    where it succeeded, and any of ``failure`` only where it failed.

    ``remedies`` are what to do about known failures. ``statuses`` are those besides 0 that prove
    no failure by themselves.
    """

    success: tuple[str, ...]
    failure: tuple[str, ...]
    remedies: tuple[tuple[str, str], ...] = ()
    statuses: tuple[int, ...] = ()


@dataclass(frozen=True)
class ToolRunner:
    """``argv`` gives the command lines for a board, an image and a probe, in their order;
    ``command_file`` a file that they name, and its text."""

    name: str
    capabilities: Capabilities
    program: Program
    words: Words
    argv: Callable[[Board, Path, str | None], list[list[str]]]
    command_file: Callable[[Path], tuple[Path, str]] | None = None

    def programs(self, board: Board) -> tuple[Program, ...]:
        """The one program."""
        return (self.program,)

    def flash(self, job: FlashJob) -> tuple[str, ...]:
        """Runs the program, step by step. Raises a FlashError."""
        where = f"board {job.board.name}, runner {self.name}"
        commands = self.argv(job.board, job.image, job.probe)
        version = check_program(self.program, where)
        if self.command_file is not None:
            _write(*self.command_file(job.image))
        log = f"{self.program.name} {version}".rstrip() + "\n"
        warnings: list[str] = []
        for argv in commands:
            finished = run(argv, job.seconds)
            log += f"$ {shlex.join(argv)}\n{finished.output.rstrip()}\n"
            _write(job.log, log)
            if self.program.ask is None:
                check_version(self.program, finished.output, where)
            self._judge(job, finished, where)
            warnings += [f"{self.program.name} left {name} running" for name in finished.left]
        return tuple(warnings)

    def _judge(self, job: FlashJob, finished: Finished, where: str) -> None:
        """Raises the FlashError that the end of a program amounts to, if any."""
        # A path may hold any word.
        said = finished.output.replace(str(job.image), "")
        failure = next((m for p in self.words.failure if (m := re.search(p, said, re.M))), None)
        missing = [p for p in self.words.success if not re.search(p, said, re.M)]
        kind: type[FlashError]
        if finished.end == "deadline":
            kind, why = FlashHangsError, f"did not end within {job.seconds:g} s"
        elif finished.end == "flood":
            kind, why = FlashFloodsError, "prints without end"
        elif finished.status and (failure or missing or finished.status not in self.words.statuses):
            kind, why = FlashFailedError, f"ended with status {finished.status}"
        elif failure is not None:
            line = said[said.rfind("\n", 0, failure.start()) + 1 :].partition("\n")[0].strip()
            kind, why = FlashContradictedError, f"ended well, but printed `{line}`"
        elif missing:
            kind, why = FlashUnprovenError, "ended well, but did not tell of success"
        else:
            return
        last = _last_lines(finished.output)
        raise kind(
            f"{self.program.name} {why}" + (f", its last words: {last}" if last else ""),
            where=where,
            remedy=f"{self._remedy(said)}; all it printed is in {job.log}",
        )

    def _remedy(self, said: str) -> str:
        known = (remedy for pattern, remedy in self.words.remedies if re.search(pattern, said))
        return next(known, "check that the board and its probe are connected and powered")


def _last_lines(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return " | ".join(lines[-_LAST_LINES:])[-_LAST_CHARACTERS:]


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise FlashError(
            f"cannot be written: {error.strerror}",
            where=str(path),
            remedy="build in a folder that can be written to",
        ) from error
