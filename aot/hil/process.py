"""Child processes that end with their context, their own children included."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO

_GRACE_SECONDS = 2.0


@contextmanager
def running(
    argv: Sequence[str], stdin: int | IO[bytes], stdout: int | IO[bytes]
) -> Iterator[subprocess.Popen[bytes]]:
    """Runs ``argv`` in a process group of its own, which is gone when the context ends."""
    child = subprocess.Popen(
        argv, stdin=stdin, stdout=stdout, stderr=subprocess.STDOUT, start_new_session=True
    )
    try:
        yield child
    finally:
        for number in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.killpg(child.pid, number)
            with suppress(subprocess.TimeoutExpired):
                child.wait(_GRACE_SECONDS)
                break
