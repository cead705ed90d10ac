"""Brings a firmware to life on a board and opens its console."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aot.boards.board import Board
from aot.hil.console import Console, open_console
from aot.hil.runners.programs import check_program
from aot.hil.runners.registry import starter


@contextmanager
def device(board: Board, image: Path, counting: bool = False) -> Iterator[str]:
    """Runs ``image`` with the board's default runner; yields the device of its console.

    Raises NoRunnerError, ProgramMissingError, ProgramTooOldError or StartError.
    """
    runner = starter(board)
    for program in runner.programs(board):
        check_program(program, f"board {board.name}")
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
        with _console(board, port) as console:
            console.label = f"{board.name} on {port}"
            yield console
        return
    with (
        device(board, image, counting) as name,
        _console(board, name) as console,
    ):
        console.label = f"{board.name} ({board.runners.default}) on {name}"
        yield console


def _console(board: Board, port: str) -> Console:
    return open_console(port, board.console.baud, board.console.dtr, board.console.rts)
