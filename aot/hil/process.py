"""Child processes that end with their context or deadline, with everything that they started."""

from __future__ import annotations

import logging
import os
import select
import signal
import subprocess
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from aot.hil.errors import StartError

_log = logging.getLogger(__name__)

# A child may leave its session, but its descendants inherit this from it.
_MARK = "MICROAOT_RUN"
_PROC = Path("/proc")
_TERM_SECONDS = 2.0
_KILL_SECONDS = 5.0
_SETTLE_SECONDS = 0.5
_POLL_SECONDS = 0.02
_MOST_OUTPUT = 4 * 1024 * 1024
_SLICE = 65536


@dataclass(frozen=True)
class Finished:
    """How a program ended: by itself, at its deadline, or for printing without end.

    ``output`` is what it printed on both streams; ``left`` names the processes that it left
    running, which have been ended.
    """

    end: Literal["exit", "deadline", "flood"]
    status: int
    output: str
    left: tuple[str, ...]


def run(argv: Sequence[str], seconds: float, most_output: int = _MOST_OUTPUT) -> Finished:
    """Runs ``argv`` to its end or for ``seconds``, without input and in the C locale.

    Nothing that it started is left when this returns. Raises StartError where it cannot be run.
    """
    deadline = time.monotonic() + seconds
    child, mark = _started(argv, subprocess.DEVNULL, subprocess.PIPE)
    assert child.stdout is not None
    with child.stdout as pipe:
        os.set_blocking(pipe.fileno(), False)
        output = bytearray()
        try:
            end = _collect(child, pipe.fileno(), output, deadline, most_output)
            left = _left(child, mark) if end == "exit" else ()
        finally:
            _end(child, mark)
        _read(pipe.fileno(), output, most_output)
    return Finished(end, child.returncode, output.decode(errors="replace"), left)


@contextmanager
def running(
    argv: Sequence[str], stdin: int | IO[bytes], stdout: int | IO[bytes]
) -> Iterator[subprocess.Popen[bytes]]:
    """Runs ``argv``, in the C locale, until the context ends.

    Nothing that it started is left then. Raises StartError where it cannot be run.
    """
    child, mark = _started(argv, stdin, stdout)
    try:
        yield child
    finally:
        _end(child, mark)


def _started(
    argv: Sequence[str], stdin: int | IO[bytes], stdout: int | IO[bytes]
) -> tuple[subprocess.Popen[bytes], bytes]:
    """The child, which leads a session, and the mark in its environment."""
    value = uuid.uuid4().hex
    try:
        child = subprocess.Popen(
            argv,
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            # Untranslated messages are the ones that can be read back.
            env={**os.environ, "LANG": "C", "LC_ALL": "C", _MARK: value},
        )
    except OSError as error:
        raise StartError(f"cannot be run: {error.strerror}", where=argv[0]) from error
    return child, f"{_MARK}={value}".encode()


def _collect(
    child: subprocess.Popen[bytes], pipe: int, output: bytearray, deadline: float, most: int
) -> Literal["exit", "deadline", "flood"]:
    """Reads until the child ends, whoever else holds the other end of the pipe."""
    while True:
        # Before reading, so that nothing it said is missed.
        ended = child.poll() is not None
        closed = _read(pipe, output, most)
        if len(output) > most:
            return "flood"
        if ended:
            return "exit"
        left = deadline - time.monotonic()
        if left <= 0:
            return "deadline"
        if closed:
            time.sleep(min(_POLL_SECONDS, left))
        else:
            select.select([pipe], [], [], min(_POLL_SECONDS, left))


def _read(pipe: int, output: bytearray, most: int) -> bool:
    """Takes what is there, up to just over ``most`` bytes; true at the end of the file."""
    with suppress(BlockingIOError):
        while len(output) <= most:
            data = os.read(pipe, _SLICE)
            if not data:
                return True
            output += data
    return False


def _left(child: subprocess.Popen[bytes], mark: bytes) -> tuple[str, ...]:
    """The names of what still runs after the child has ended and its own had time to."""
    deadline = time.monotonic() + _SETTLE_SECONDS
    quiet = 0
    # A process that is just starting another program has no environment for a moment.
    while quiet < 2:
        kin = _kin(child.pid, mark)
        if kin and time.monotonic() >= deadline:
            return tuple(f"{name} (process {pid})" for pid, name in kin)
        quiet = 0 if kin else quiet + 1
        if quiet < 2:
            time.sleep(_POLL_SECONDS)
    return ()


def _end(child: subprocess.Popen[bytes], mark: bytes) -> None:
    """Ends the child and its kin, first by asking."""
    for number, patience in ((signal.SIGTERM, _TERM_SECONDS), (signal.SIGKILL, _KILL_SECONDS)):
        deadline = time.monotonic() + patience
        signalled: set[int] = set()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, number)
        while True:
            kin = _kin(child.pid, mark)
            if child.poll() is not None and not kin:
                return
            for pid, _ in kin:
                if pid not in signalled:
                    signalled.add(pid)
                    with suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, number)
            if time.monotonic() >= deadline:
                break
            time.sleep(_POLL_SECONDS)
    _log.warning("process %d and what it started cannot be ended", child.pid)


def _kin(leader: int, mark: bytes) -> tuple[tuple[int, str], ...]:
    """Number and name of every live process but ``leader`` of its session or with ``mark``.

    Empty where there is no /proc: there the process group is all that is known.
    """
    found = []
    for entry in sorted(_PROC.glob("[0-9]*"), key=lambda e: int(e.name)):
        # It may be gone by now, or another user's.
        with suppress(OSError):
            name, state, session = _stat((entry / "stat").read_text(errors="replace"))
            if int(entry.name) == leader or state in "ZX":
                continue
            if session == leader or mark in (entry / "environ").read_bytes().split(b"\0"):
                found.append((int(entry.name), name))
    return tuple(found)


def _stat(text: str) -> tuple[str, str, int]:
    """Name, state and session of a line of /proc/PID/stat (proc(5)); a name may hold anything."""
    head, _, tail = text.rpartition(")")
    state, _, _, session = tail.split()[:4]
    return head.partition("(")[2], state, int(session)
