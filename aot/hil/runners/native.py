"""Native programs: the host board's firmware as a process behind a pseudo-terminal."""

from __future__ import annotations

import os
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from aot.boards.board import Board
from aot.hil.process import running
from aot.hil.runners.base import Capabilities, Program

_CAPABILITIES = Capabilities("elf", starts=True)


@dataclass(frozen=True)
class NativeRunner:
    """The program holds the controlling end of a pseudo-terminal, we open the other as a port."""

    name: str = "native"
    capabilities: Capabilities = _CAPABILITIES

    def programs(self, board: Board) -> tuple[Program, ...]:
        """None besides the firmware itself."""
        return ()

    def argv(self, image: Path) -> list[str]:
        """The command line."""
        return [str(image.resolve())]

    @contextmanager
    def start(self, board: Board, image: Path, counting: bool) -> Iterator[str]:
        """Runs the program; yields the device of its console. It cannot count instructions."""
        controller, port = os.openpty()
        try:
            # Raw before the program speaks, or the terminal echoes its own words back to it.
            tty.setraw(port)
            with running(self.argv(image), controller, controller):
                yield os.ttyname(port)
        finally:
            os.close(controller)
            os.close(port)
