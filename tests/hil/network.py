"""Emulated boards behind ports of the network, as boards of another host are."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from aot.boards.board import Board
from aot.boards.loader import load_board
from aot.commands.firmware import link
from aot.compiler import CompileOptions, compile_model
from aot.hil.bench import Job
from aot.hil.lab import LabEntry
from tests.support.models import DIGITS

SER2NET = shutil.which("ser2net") or shutil.which("/usr/sbin/ser2net")
EMULATORS = {
    "mps2-an386": "qemu-system-arm",
    "microbit": "qemu-system-arm",
    "qemu-riscv32": "qemu-system-riscv32",
}


@dataclass(frozen=True)
class Built:
    """The example's firmware for a board."""

    board: Board
    image: Path
    build_id: str
    folder: Path

    def job(self, entry: LabEntry, folder: Path) -> Job:
        """Its test as ``entry``, with records in ``folder``."""
        folder.mkdir(exist_ok=True)
        metadata = (self.folder / "generated" / "digits.json",)
        vectors = (DIGITS.with_suffix(".npz"),)
        return Job(entry, self.image, self.build_id, metadata, vectors, folder, "pytest")


def build(name: str, folder: Path) -> Built:
    """Builds for an emulated board; skips the test where a tool is missing."""
    board = load_board(name)
    for program in (board.toolchain.compiler, EMULATORS[name]):
        if shutil.which(program) is None:
            pytest.skip(f"needs {program}")
    options = CompileOptions("digits", board.ir_pools())
    model = compile_model(DIGITS.read_bytes(), "digits", options)
    image, build_id = link(board, [model], folder)
    return Built(board, image.elf, build_id, folder)


def free_port() -> int:
    """A TCP port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def wait_for(port: int, child: subprocess.Popen[bytes]) -> None:
    """Waits until ``child`` listens on ``port``."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        assert child.poll() is None, "the server ended"
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(f"nobody listens on {port}")


@contextmanager
def serial_server(device: str, accepter: str) -> Iterator[int]:
    """Debian's ser2net before ``device``; yields its TCP port."""
    if SER2NET is None:
        pytest.skip("needs ser2net")
    port = free_port()
    lines = (
        f"connection: &c#  accepter: {accepter}tcp(nodelay),127.0.0.1,{port}",
        f"  connector: serialdev(nouucplock=true),{device},115200n81,local",
        # The readiness probe of this test counts as one.
        "  options:",
        "    max-connections: 4",
    )
    argv = [SER2NET, "-d", "-n", *(word for line in lines for word in ("-Y", line))]
    child = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port, child)
        yield port
    finally:
        child.terminate()
        child.wait(10)
