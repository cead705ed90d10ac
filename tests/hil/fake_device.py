"""A device on a pseudo-terminal that speaks the protocol, with faults on request."""

from __future__ import annotations

import os
import threading
import tty
import zlib
from collections.abc import Callable
from types import TracebackType

from aot.hil.console import Console, open_console

Fault = Callable[[str, list[str]], list[str] | None]
"""Takes a command and the lines of its answer; returns the lines to send, None for silence."""


class FakeDevice:
    """Doubles every byte of its input. ``echoes`` repeats what it receives, as some boards do."""

    def __init__(
        self,
        fault: Fault | None = None,
        banner: bytes = b"",
        echoes: bool = False,
        board: str = "fake",
        build: str = "b001",
    ) -> None:
        self._fault = fault or (lambda command, lines: lines)
        self._banner = banner
        self._echoes = echoes
        self._board, self._build = board, build
        self._loaded = b""
        self._controller, self._port = os.openpty()
        tty.setraw(self._port)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self.commands: list[str] = []

    def __enter__(self) -> Console:
        self._thread.start()
        self._console = open_console(os.ttyname(self._port), 115200)
        return self._console

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # With both ends of the port closed, the thread's read ends.
        self._console.__exit__(None, None, None)
        os.close(self._port)
        self._thread.join(5)
        self.vanish()

    def vanish(self) -> None:
        """Hangs up."""
        if self._controller >= 0:
            controller, self._controller = self._controller, -1
            os.close(controller)

    def _serve(self) -> None:
        try:
            if self._banner:
                os.write(self._controller, self._banner)
            pending = b""
            while True:
                received = os.read(self._controller, 4096)
                if not received:
                    return
                if self._echoes:
                    os.write(self._controller, received)
                pending += received
                while b"%" in pending:
                    raw, _, pending = pending.partition(b"%")
                    self._answer(raw.decode("ascii", "replace").replace("\r", "").strip())
        except (OSError, ValueError, TypeError):
            return

    def _answer(self, command: str) -> None:
        self.commands.append(command)
        lines = self._fault(command, [*self._lines(command), "m-ready"])
        if lines is not None:
            os.write(self._controller, "".join(f"{line}\r\n" for line in lines).encode())

    def _lines(self, command: str) -> list[str]:
        word, _, rest = command.partition(" ")
        if word == "echo":
            return [f"m-echo-[{rest}]"]
        if word == "build":
            return [f"m-build-[{self._build},{self._board},1]"]
        if word == "model":
            return [f"m-model-[{rest},fake,0]"]
        if word == "db" and rest.startswith("load "):
            self._loaded = b""
            return [f"m-[Expecting {rest[5:]} bytes]"]
        if word == "db":
            self._loaded += bytes.fromhex(rest)
            return []
        if word == "crc":
            return [f"m-crc-[{zlib.crc32(self._loaded):08x}]"]
        if word == "infer":
            return ["m-infer-start-1", "m-infer-done", "m-results-[0.000]"]
        if word == "output":
            result = bytes(2 * b & 0xFF for b in self._loaded)
            head = f"m-output-[0,{len(result)},{zlib.crc32(result):08x}]"
            return [head, f"m-hex-[{result.hex()}]"]
        if word == "ticks":
            return ["m-ticks-[1234,25000000]"]
        if word == "stack":
            return ["m-stack-[200,4096]"]
        if word == "pools":
            return ["m-pool-[ram,100,128]"]
        return [] if not word else ["e-[Unknown command]"]
