"""Locks that keep two programs from driving one serial port or probe at a time."""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import re
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from aot.hil.errors import HilError, PortError

_log = logging.getLogger(__name__)
_POLL_SECONDS = 0.1
_MAX_FIELD = 200


class PortBusyError(PortError):
    """Another program holds the port or the probe."""


class LockFolderError(HilError):
    """The folder of the locks is not the user's own."""


@dataclass(frozen=True)
class Holder:
    """Who holds a lock, as written into its file."""

    pid: int
    board: str
    command: str

    def __str__(self) -> str:
        return f"process {self.pid} ({self.command}), which drives {self.board}"


def port_key(port: str) -> str:
    """What stands for a port: a device by its real path, so links to it are the same, or a URL."""
    return f"port {port if '://' in port else os.path.realpath(port)}"


def probe_key(probe: str) -> str:
    """What stands for a probe with a serial number."""
    return f"probe {probe.lower()}"


def lock_folder(parent: Path | None = None) -> Path:
    """The user's own folder of locks below ``parent``, the system's temporary folder.

    Raises LockFolderError where it belongs to somebody else or others may write into it.
    """
    folder = (parent or Path(tempfile.gettempdir())) / f"microaot-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        raise LockFolderError(
            f"cannot be made: {error.strerror}",
            where=str(folder),
            remedy="make the folder for temporary files writable, or name another as TMPDIR",
        ) from error
    own = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    if not own or stat.S_IMODE(found.st_mode) & 0o077:
        raise LockFolderError(
            "is no folder that is this user's alone", where=str(folder), remedy="remove it"
        )
    return folder


@contextmanager
def locked(key: str, holder: Holder, seconds: float, folder: Path) -> Iterator[None]:
    """Holds the lock of ``key`` in ``folder``; it ends with the context, or with the process.

    Waits up to ``seconds`` for another holder; then raises PortBusyError, which names it.
    """
    path = folder / _file_name(key)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        _acquire(handle, key, seconds)
        os.ftruncate(handle, 0)
        fields = (str(holder.pid), holder.board, holder.command)
        text = "\n".join(" ".join(f.split())[:_MAX_FIELD] for f in fields)
        os.pwrite(handle, text.encode(), 0)
        yield
        # The file stays: removing it would let two processes lock two files of one name.
        os.ftruncate(handle, 0)
    finally:
        os.close(handle)


def _acquire(handle: int, key: str, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    waiting = False
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            pass
        held = _held_by(handle)
        if time.monotonic() >= deadline:
            raise PortBusyError(
                f"is held by {held}, still after {seconds:.0f} s",
                where=key,
                remedy="wait until it ends, or end it",
            )
        if not waiting:
            _log.warning("%s is held by %s; waiting up to %.0f s", key, held, seconds)
            waiting = True
        time.sleep(_POLL_SECONDS)


def _held_by(handle: int) -> str:
    lines = os.pread(handle, 4 * _MAX_FIELD * 4, 0).decode(errors="replace").splitlines()
    if len(lines) != 3 or not lines[0].isdigit():
        return "another program"
    return str(Holder(int(lines[0]), lines[1], lines[2]))


def _file_name(key: str) -> str:
    """Readable, and different for different keys whatever stands in them."""
    readable = re.sub(r"[^A-Za-z0-9]+", "_", key)[-40:]
    return f"{readable}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.lock"
