"""The example's firmware as a native program behind a pseudo-terminal that can be at fault."""

from __future__ import annotations

import os
import re
import select
import subprocess
import threading
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from aot.hil.console import Console, open_console

_POLL_SECONDS = 0.02

Fault = Callable[[bytes], bytes]
"""Takes bytes that pass and returns those that arrive."""


def faithful(data: bytes) -> bytes:
    return data


class FaultyLine:
    """``to_host`` and ``to_device`` may be replaced at any time; ``sent`` is all that the host
    sent, as it left the host."""

    def __init__(
        self, program: Path, to_host: Fault = faithful, to_device: Fault = faithful
    ) -> None:
        self._program = program
        self.to_host, self.to_device = to_host, to_device
        self.sent = b""
        self._controller, self._port = os.openpty()
        tty.setraw(self._port)
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Console:
        self._console = open_console(os.ttyname(self._port), 115200)
        self._start()
        self._thread(self._pump_down)
        return self._console

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # With both ends of the port closed, the threads' reads end.
        self._console.__exit__(None, None, None)
        with suppress(OSError):
            os.close(self._port)
        self._device.kill()
        self._device.wait()
        for thread in self._threads:
            thread.join(5)
        self.vanish()

    def commands(self) -> list[str]:
        """The commands in the frames that the host sent, in order."""
        return re.findall(r"![0-9]+,[0-9a-f]{8},([^%]*)%", self.sent.decode())

    def inject(self, data: bytes) -> None:
        """Something that the host receives besides."""
        with suppress(OSError):
            while data:
                data = data[os.write(self._controller, data) :]

    def restart(self) -> None:
        """The board starts anew."""
        self._device.kill()
        self._device.wait()
        self._start()

    def vanish(self) -> None:
        """Hangs up."""
        if self._controller >= 0:
            controller, self._controller = self._controller, -1
            os.close(controller)

    def _start(self) -> None:
        self._device = subprocess.Popen(
            [self._program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        self._thread(self._pump_up)

    def _thread(self, target: Callable[[], None]) -> None:
        self._threads.append(threading.Thread(target=target, daemon=True))
        self._threads[-1].start()

    def _pump_up(self) -> None:
        out = self._device.stdout
        assert out is not None
        with suppress(OSError, ValueError):
            while data := os.read(out.fileno(), 4096):
                self.inject(self.to_host(data))

    def _pump_down(self) -> None:
        with suppress(OSError, ValueError):
            while self._controller >= 0:
                # A read that waits would keep the terminal open past its end.
                if not select.select([self._controller], [], [], _POLL_SECONDS)[0]:
                    continue
                data = os.read(self._controller, 4096)
                self.sent += data
                self._feed(self.to_device(data))

    def _feed(self, data: bytes) -> None:
        # A board that starts anew loses what is on its way.
        into = self._device.stdin
        assert into is not None
        with suppress(BrokenPipeError):
            into.write(data)
