"""What a runner is: its name, its capabilities, the programs it needs, and what it does."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from aot.boards.board import Board
from aot.hil.runners.errors import ImageError, ProbeError

ImageKind = Literal["elf", "hex", "bin", "uf2"]

# Nothing that a program could take for an option, for several numbers or for a command.
_PROBE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}")


@dataclass(frozen=True)
class Capabilities:
    """What a runner can do, and which image it needs for that.

    ``starts`` means that it brings the board to life itself and yields its console;
    ``verifies`` that it reads back what it wrote.
    """

    needs: ImageKind
    flashes: bool = False
    starts: bool = False
    verifies: bool = False
    chooses_probe: bool = False


@dataclass(frozen=True)
class Program:
    """A program that a runner needs, the oldest version that serves, and where to get it.

    ``ask`` are the arguments that make it tell its version, or None where it tells it only while
    it works; ``version`` finds the version in what it prints. ``package`` is Debian's, None where
    Debian has none.
    """

    name: str
    oldest: tuple[int, ...]
    ask: tuple[str, ...] | None
    version: str
    package: str | None
    source: str

    @property
    def remedy(self) -> str:
        """What to install."""
        debian = "" if self.package is None else f", on Debian the package {self.package}"
        return f"install {'.'.join(map(str, self.oldest))} or newer{debian}, from {self.source}"


@dataclass(frozen=True)
class FlashJob:
    """A board to program. ``log`` is the file that keeps what the program printed."""

    board: Board
    image: Path
    probe: str | None
    seconds: float
    log: Path


class Runner(Protocol):
    """A way to run a firmware on a board."""

    @property
    def name(self) -> str:
        """Its key in a board file."""

    @property
    def capabilities(self) -> Capabilities: ...

    def programs(self, board: Board) -> tuple[Program, ...]:
        """What must be installed."""


class Flasher(Runner, Protocol):
    """A runner that writes a firmware to a board, where it stays."""

    def flash(self, job: FlashJob) -> tuple[str, ...]:
        """Programs the board and makes it run; returns warnings. Raises a FlashError."""


class Starter(Runner, Protocol):
    """A runner that brings an emulated board to life."""

    def start(self, board: Board, image: Path, counting: bool) -> AbstractContextManager[str]:
        """Runs ``image`` until the context ends, and yields the device of its console.

        ``counting`` asks for repeatable time, in which an emulator takes one nanosecond per
        instruction.
        """


def own_arguments(board: Board, runner: str) -> tuple[str, ...]:
    """What the board file gives for ``runner``."""
    return next((r.args for r in board.runners.entries if r.name == runner), ())


def check_probe(runner: Runner, board: Board, probe: str) -> None:
    """Raises ProbeError unless ``runner`` can choose a probe and ``probe`` is a serial number."""
    where = f"board {board.name}, runner {runner.name}"
    if not runner.capabilities.chooses_probe:
        raise ProbeError(
            "cannot choose a board by a serial number",
            where=where,
            remedy="connect that board alone and leave the number out, or choose another runner",
        )
    if not _PROBE.fullmatch(probe):
        raise ProbeError(
            f"{probe!r} is no serial number of a probe",
            where=where,
            remedy="give letters, digits and . _ : - alone, as the probe's maker prints it",
        )


def check_image(runner: Runner, board: Board, image: Path) -> None:
    """Raises ImageError unless ``image`` is there and can hold all of a firmware."""
    kind = runner.capabilities.needs
    elsewhere = [pool.region for pool in board.distant_constants()]
    if kind in ("bin", "uf2") and elsewhere:
        raise ImageError(
            f"a .{kind} image lacks the constants in region {elsewhere[0]}",
            where=f"board {board.name}, runner {runner.name}",
            remedy="choose a runner that takes .elf or .hex",
        )
    if not image.is_file():
        raise ImageError(
            f"{image.name} is not there",
            where=str(image.parent),
            remedy=f"build the firmware first; runner {runner.name} needs its .{kind}",
        )


def refuse_characters(image: Path, forbidden: str, program: str) -> None:
    """Raises ImageError where ``program`` cannot be told the path in its own language."""
    for character in forbidden:
        if character in str(image):
            raise ImageError(
                f"{program} takes no path with {character!r}",
                where=str(image),
                remedy="build in another folder",
            )
