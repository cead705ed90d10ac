"""Every runner, and finding one for a board."""

from __future__ import annotations

import difflib
from typing import TypeVar

from aot.boards.board import Board
from aot.hil.runners.base import Flasher, Runner, Starter
from aot.hil.runners.dfu import DFU
from aot.hil.runners.errors import NoRunnerError, RunnerError
from aot.hil.runners.jlink import JLINK
from aot.hil.runners.native import NativeRunner
from aot.hil.runners.nrfutil import NRFUTIL
from aot.hil.runners.openocd import OPENOCD
from aot.hil.runners.pyocd import PYOCD
from aot.hil.runners.qemu import QemuRunner
from aot.hil.runners.stlink import STLINK
from aot.hil.runners.stm32cubeprogrammer import STM32CUBEPROGRAMMER
from aot.hil.runners.uf2 import Uf2Runner

FLASHERS: tuple[Flasher, ...] = (
    *(OPENOCD, PYOCD, STLINK, JLINK, STM32CUBEPROGRAMMER, DFU, Uf2Runner(), NRFUTIL),
)
STARTERS: tuple[Starter, ...] = (QemuRunner(), NativeRunner())
RUNNERS: tuple[Runner, ...] = (*FLASHERS, *STARTERS)

_R = TypeVar("_R", bound=Runner)


def flasher(board: Board, name: str | None) -> Flasher | None:
    """The board's runner ``name``, or its default, if that flashes; None where it starts.

    Raises RunnerError where the board has no such runner.
    """
    return _named(FLASHERS, _checked(board, name))


def starter(board: Board) -> Starter:
    """The board's default runner. Raises NoRunnerError where that does not start the board."""
    found = _named(STARTERS, board.runners.default)
    if found is None:
        starting = " or ".join(r.name for r in STARTERS)
        raise NoRunnerError(
            f"runner `{board.runners.default}` cannot run tests",
            where=f"board {board.name}",
            remedy=f"name its port, or choose a board that {starting} starts",
        )
    return found


def _named(runners: tuple[_R, ...], name: str) -> _R | None:
    return next((r for r in runners if r.name == name), None)


def _checked(board: Board, name: str | None) -> str:
    if name is None:
        return board.runners.default
    names = [r.name for r in board.runners.entries]
    if name not in names:
        near = difflib.get_close_matches(name, names, 1)
        raise RunnerError(
            f"has no runner `{name}`",
            where=f"board {board.name}",
            remedy=f"did you mean `{near[0]}`?" if near else f"it has {', '.join(names)}",
        )
    return name
