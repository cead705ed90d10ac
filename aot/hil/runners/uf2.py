"""UF2: copies the image onto the drive that a boot loader shows, which goes away when it starts."""

from __future__ import annotations

import os
import re
import shutil
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from aot.boards.board import Board
from aot.hil.runners.base import Capabilities, FlashJob, Program, own_arguments
from aot.hil.runners.errors import DriveError, FlashError, FlashHangsError, FlashUnprovenError

_INFO = "INFO_UF2.TXT"
_POLL_SECONDS = 0.05
_SETTLE_SECONDS = 2.0
# Where Linux and macOS mount drives.
_MOUNTS = (
    *((Path("/media"), "*"), (Path("/media"), "*/*")),
    *((Path("/run/media"), "*/*"), (Path("/Volumes"), "*")),
)

_CAPABILITIES = Capabilities("uf2", flashes=True)


@dataclass(frozen=True)
class Uf2Runner:
    """``mounts`` are folders and the patterns below them at which drives appear."""

    name: str = "uf2"
    capabilities: Capabilities = _CAPABILITIES
    mounts: tuple[tuple[Path, str], ...] = _MOUNTS

    def programs(self, board: Board) -> tuple[Program, ...]:
        """None."""
        return ()

    def flash(self, job: FlashJob) -> tuple[str, ...]:
        """Copies the image and waits until the drive goes away. Raises a FlashError."""
        where = f"board {job.board.name}, runner {self.name}"
        drive = self.drive(job.board)
        deadline = time.monotonic() + job.seconds
        failures: list[OSError] = []
        # A thread, for writing to a device that hangs cannot be interrupted.
        copying = threading.Thread(
            target=_copy, args=(job.image, drive / job.image.name, failures), daemon=True
        )
        copying.start()
        copying.join(job.seconds)
        copied = time.monotonic()
        if copying.is_alive():
            raise FlashHangsError(
                f"copying to {drive} did not end within {job.seconds:g} s",
                where=where,
                remedy="connect the board anew in its boot loader's mode",
            )
        # A board that has the last block starts at once, which cuts off who still writes.
        while not _gone(drive):
            if failures and time.monotonic() >= copied + _SETTLE_SECONDS:
                raise FlashError(
                    f"copying to {drive} failed: {failures[0].strerror}",
                    where=where,
                    remedy="check that the drive is mounted for you to write to",
                ) from failures[0]
            if time.monotonic() >= deadline:
                raise FlashUnprovenError(
                    f"{drive} took the image and is still there: the board did not accept it",
                    where=where,
                    remedy="check that the image's family is the board's, and connect it anew",
                )
            time.sleep(_POLL_SECONDS)
        return ()

    def drive(self, board: Board) -> Path:
        """The drive whose label, or whose boot loader's Board-ID, the board file gives.

        Raises DriveError unless there is exactly one.
        """
        label = next(iter(own_arguments(board, self.name)), "")
        found = {
            path.resolve()
            for root, pattern in self.mounts
            for path in root.glob(pattern)
            if _is_drive(path, label)
        }
        if len(found) != 1:
            several = ", ".join(str(path) for path in sorted(found))
            raise DriveError(
                f"several drives could be its: {several}" if found else f"no drive {label!r}",
                where=f"board {board.name}, runner {self.name}",
                remedy="disconnect all but one board"
                if found
                else "connect the board in its boot loader's mode (on a Pico, hold BOOTSEL "
                "meanwhile), and mount its drive",
            )
        return found.pop()


def _is_drive(path: Path, label: str) -> bool:
    """Whether ``path`` is a drive called ``label``, or whose Board-ID that is; any boot loader's
    where ``label`` is empty.

    A desktop numbers a mount point where the last one of the same label is still there.
    """
    with suppress(OSError):
        if not path.is_dir():
            return False
        if label and re.fullmatch(re.escape(label) + "[0-9]*", path.name):
            return True
        info = (path / _INFO).read_text(errors="replace")
        return not label or bool(re.search(rf"^Board-ID:\s*{re.escape(label)}\s*$", info, re.M))
    return False


def _copy(image: Path, target: Path, failures: list[OSError]) -> None:
    """Copies as far as the drive itself; puts what fails into ``failures``."""
    try:
        with image.open("rb") as source, target.open("wb") as out:
            shutil.copyfileobj(source, out)
            out.flush()
            os.fsync(out.fileno())
    except OSError as error:
        failures.append(error)


def _gone(drive: Path) -> bool:
    """Whether the drive is unmounted, or its folder is left empty."""
    try:
        return next(drive.iterdir(), None) is None
    except OSError:
        return True
