"""QEMU: an emulated board with its console on a pseudo-terminal."""

from __future__ import annotations

import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from aot.boards.board import Board, ToolchainId
from aot.hil.errors import StartError
from aot.hil.process import running
from aot.hil.runners.base import Capabilities, Program, own_arguments


def _emulator(name: str, package: str) -> Program:
    return Program(
        name=name,
        # The first with the vector extension of Cortex-M55.
        oldest=(6, 2),
        ask=("--version",),
        version=r"QEMU emulator version ([0-9]+(?:\.[0-9]+)+)",
        package=package,
        source="qemu.org",
    )


_PROGRAMS: dict[ToolchainId, Program] = {
    "arm-none-eabi-gcc": _emulator("qemu-system-arm", "qemu-system-arm"),
    "riscv64-unknown-elf-gcc": _emulator("qemu-system-riscv32", "qemu-system-misc"),
}
_START_SECONDS = 20.0

_CAPABILITIES = Capabilities("elf", starts=True)


@dataclass(frozen=True)
class QemuRunner:
    """Starts the machine that the board's `emulation` names; nothing is left when it stops."""

    name: str = "qemu"
    capabilities: Capabilities = _CAPABILITIES

    def programs(self, board: Board) -> tuple[Program, ...]:
        """The emulator of the board's architecture."""
        return (_PROGRAMS[board.toolchain.id],)

    def argv(self, board: Board, image: Path, counting: bool) -> list[str]:
        """The command line; the board's own arguments come last."""
        assert board.emulation is not None, "the loader wants `emulation` beside this runner"
        return [
            _PROGRAMS[board.toolchain.id].name,
            *("-machine", board.emulation.machine),
            *(() if board.emulation.cpu is None else ("-cpu", board.emulation.cpu)),
            *("-display", "none", "-monitor", "none", "-serial", "pty"),
            *(("-icount", "shift=0") if counting else ()),
            *("-kernel", str(image)),
            *own_arguments(board, self.name),
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
            raise StartError(f"QEMU ended: {text.strip()[-300:]}", where=f"board {board.name}")
        time.sleep(0.01)
    raise StartError("QEMU reports no pseudo-terminal", where=f"board {board.name}")
