"""Keeps a running board at the disposal of other programs until somebody ends it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType

from aot.hil.errors import HilError, PortError

_POLL_SECONDS = 0.5
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class NotInterruptibleError(HilError):
    """Serving where no signal arrives."""


def serve(port: str, announce: Callable[[], None]) -> None:
    """Returns at Ctrl-C, SIGTERM or SIGHUP, whoever handles them otherwise; calls ``announce``
    once they are heeded.

    Raises PortError once ``port`` is gone, NotInterruptibleError outside the main thread.
    """
    if threading.current_thread() is not threading.main_thread():
        raise NotInterruptibleError(
            "cannot be interrupted beside other jobs", where=port, remedy="leave out -j"
        )
    ended = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        ended.set()

    # A build system may have handlers of its own, which let the current action run on.
    before = {number: signal.signal(number, end) for number in _ENDING}
    try:
        announce()
        while not ended.wait(_POLL_SECONDS):
            if not os.path.exists(port):
                raise PortError("the port vanished", where=port, remedy="start the board again")
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
