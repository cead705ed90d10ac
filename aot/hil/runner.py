"""Runners: what brings a firmware to life on a board and opens its console."""

from __future__ import annotations

import shutil
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from aot.boards.board import Board
from aot.errors import MicroaotError
from aot.hil.console import Console
from aot.hil.errors import ProgramMissingError
from aot.hil.runner_native import NativeRunner
from aot.hil.runner_qemu import QemuRunner


class Runner(Protocol):
    """A way to run a firmware; ``programs`` are what must be installed, with Debian packages."""

    name: str
    programs: tuple[tuple[str, str], ...]

    def start(self, board: Board, image: Path, counting: bool) -> AbstractContextManager[Console]:
        """Runs ``image`` until the context ends; ``counting`` asks for repeatable time, in which
        an emulator takes one nanosecond per instruction."""


RUNNERS: tuple[Runner, ...] = (NativeRunner(), QemuRunner())


class NoRunnerError(MicroaotError):
    """A board that only runners start which this version does not have."""


def start(board: Board, image: Path, counting: bool = False) -> AbstractContextManager[Console]:
    """Runs ``image`` with the board's default runner. Raises NoRunnerError, ProgramMissingError."""
    runner = next((r for r in RUNNERS if r.name == board.runners.default), None)
    if runner is None:
        raise NoRunnerError(
            f"runner `{board.runners.default}` cannot run tests",
            where=f"board {board.name}",
            remedy="flash the image and test on a board that "
            + " or ".join(r.name for r in RUNNERS)
            + " starts",
        )
    for program, package in runner.programs:
        if shutil.which(program) is None:
            raise ProgramMissingError(
                f"{program} is not installed",
                where=f"board {board.name}",
                remedy=f"install it, on Debian the package {package}",
            )
    return runner.start(board, image, counting)
