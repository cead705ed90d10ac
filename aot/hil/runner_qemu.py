"""QEMU: an emulated board with its console on a pseudo-terminal."""

from __future__ import annotations

import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from aot.boards.board import Board
from aot.hil.errors import StartError
from aot.hil.process import running

_PROGRAM = "qemu-system-arm"
_START_SECONDS = 20.0


class QemuRunner:
    """Starts the machine that the board's `emulation` names; nothing is left when it stops."""

    name = "qemu"
    programs: tuple[tuple[str, str], ...] = ((_PROGRAM, "qemu-system-arm"),)

    def argv(self, board: Board, image: Path, counting: bool) -> list[str]:
        """The command line; the board's own arguments come last."""
        assert board.emulation is not None, "the loader wants `emulation` beside this runner"
        own = next((r.args for r in board.runners.entries if r.name == self.name), ())
        return [
            _PROGRAM,
            *("-machine", board.emulation.machine, "-cpu", board.emulation.cpu),
            *("-display", "none", "-monitor", "none", "-serial", "pty"),
            *(("-icount", "shift=0") if counting else ()),
            *("-kernel", str(image)),
            *own,
        ]

    @contextmanager
    def start(self, board: Board, image: Path, counting: bool) -> Iterator[str]:
        """Runs the emulator; yields the device of its console. Raises StartError."""
        with (
            tempfile.TemporaryFile() as output,
            running(self.argv(board, image, counting), subprocess.DEVNULL, output) as child,
        ):
            yield _console_device(child, output, board)


def _console_device(child: subprocess.Popen[bytes], output: IO[bytes], board: Board) -> str:
    """The pseudo-terminal that QEMU reports on its output."""
    deadline = time.monotonic() + _START_SECONDS * board.timeout_multiplier
    while time.monotonic() < deadline:
        ended = child.poll() is not None
        output.seek(0)
        text = output.read().decode(errors="replace")
        match = re.search(r"char device redirected to (\S+)", text)
        if match:
            return match[1]
        if ended:
            raise StartError(
                f"{_PROGRAM} ended: {text.strip()[-300:]}", where=f"board {board.name}"
            )
        time.sleep(0.01)
    raise StartError(f"{_PROGRAM} reports no pseudo-terminal", where=f"board {board.name}")
