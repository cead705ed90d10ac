"""Programs a board with the program that its board file names."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from aot.boards.board import Board
from aot.hil.errors import HilError, ProgramMissingError
from aot.hil.runner import RUNNERS

_SECONDS = 180.0


class FlashError(HilError):
    """The board was not programmed."""


def openocd_argv(board: Board, image: Path) -> list[str]:
    """OpenOCD's own `program` command: writes, verifies, resets, exits."""
    own = next((r.args for r in board.runners.entries if r.name == "openocd"), ())
    return ["openocd", *own, "-c", f"program {{{image}}} verify reset exit"]


def flash(board: Board, image: Path) -> str:
    """Programs ``image`` and says what was done; emulated boards keep nothing.

    Raises FlashError or ProgramMissingError.
    """
    runner = board.runners.default
    if runner in {r.name for r in RUNNERS}:
        return f"{board.name} is started by `test` and keeps nothing: there is nothing to flash"
    if runner != "openocd":
        raise FlashError(f"runner `{runner}` cannot flash", where=f"board {board.name}")
    if shutil.which(runner) is None:
        raise ProgramMissingError(
            "openocd is not installed",
            where=f"board {board.name}",
            remedy="install it, on Debian the package openocd",
        )
    seconds = _SECONDS * board.timeout_multiplier
    try:
        result = subprocess.run(
            openocd_argv(board, image),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise FlashError(
            f"openocd did not end within {seconds:.0f} s", where=f"board {board.name}"
        ) from error
    if result.returncode or "** Verified OK **" not in result.stderr + result.stdout:
        raise FlashError(
            f"openocd failed: {result.stderr.strip()[-300:]}",
            where=f"board {board.name}",
            remedy="check that the board is connected and powered",
        )
    return f"{board.name} programmed and verified"
