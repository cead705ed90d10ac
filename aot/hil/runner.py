"""Runners: what brings a firmware to life on a board and opens its console."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from aot.boards.board import Board
from aot.errors import MicroaotError
from aot.hil.console import Console, open_console
from aot.hil.errors import ProgramMissingError
from aot.hil.runner_native import NativeRunner
from aot.hil.runner_qemu import QemuRunner


class Runner(Protocol):
    """A way to run a firmware."""

    name: str

    def programs(self, board: Board) -> tuple[tuple[str, str], ...]:
        """What must be installed to run it on ``board``, with Debian's packages."""

    def start(self, board: Board, image: Path, counting: bool) -> AbstractContextManager[str]:
        """Runs ``image`` until the context ends, and yields the device of its console.

        ``counting`` asks for repeatable time, in which an emulator takes one nanosecond per
        instruction.
        """


RUNNERS: tuple[Runner, ...] = (NativeRunner(), QemuRunner())


class NoRunnerError(MicroaotError):
    """A board that only runners start which this version does not have."""


@contextmanager
def device(board: Board, image: Path, counting: bool = False) -> Iterator[str]:
    """Runs ``image`` with the board's default runner; yields the device of its console.

    Raises NoRunnerError, ProgramMissingError or StartError.
    """
    runner = next((r for r in RUNNERS if r.name == board.runners.default), None)
    if runner is None:
        starting = " or ".join(r.name for r in RUNNERS)
        raise NoRunnerError(
            f"runner `{board.runners.default}` cannot run tests",
            where=f"board {board.name}",
            remedy=f"name its port, or choose a board that {starting} starts",
        )
    for program, package in runner.programs(board):
        if shutil.which(program) is None:
            raise ProgramMissingError(
                f"{program} is not installed",
                where=f"board {board.name}",
                remedy=f"install it, on Debian the package {package}",
            )
    with runner.start(board, image, counting) as name:
        yield name


@contextmanager
def start(
    board: Board, image: Path, counting: bool = False, port: str | None = None
) -> Iterator[Console]:
    """Runs ``image`` as ``device`` does, and opens its console.

    With ``port``, a device or a URL of pyserial, ``image`` runs already where that leads.
    """
    if port is not None:
        with open_console(port, board.console.baud) as console:
            console.label = f"{board.name} on {port}"
            yield console
        return
    with (
        device(board, image, counting) as name,
        open_console(name, board.console.baud) as console,
    ):
        console.label = f"{board.name} ({board.runners.default}) on {name}"
        yield console
