"""A serial console: lines in and out, with a deadline on every wait."""

from __future__ import annotations

import termios
import time
from contextlib import suppress
from types import TracebackType

import serial

from aot.hil.errors import GarbledAnswerError, HilError, NoAnswerError, PortError

# A port that hung up raises any of these, by where it is noticed.
_GONE = (serial.SerialException, OSError, termios.error, TypeError)
_POLL_SECONDS = 0.05
_WRITE_SECONDS = 10.0
_SLICE = 4096
_LONGEST_LINE = 65536
_LOG_LINES = 40


class Console:
    """An open port. ``label`` names it in messages; ``log`` keeps the last lines seen."""

    def __init__(self, port: serial.Serial, label: str) -> None:
        self._port = port
        self._pending = b""
        self.label = label
        self.log: list[str] = []

    def __enter__(self) -> Console:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(*_GONE):
            self._port.close()

    def send(self, text: str) -> None:
        """Writes ``text``, ASCII. Raises PortError."""
        try:
            self._port.write(text.encode("ascii"))
            self._port.flush()
        except _GONE as error:
            raise self._vanished(error) from error

    def line(self, seconds: float) -> str:
        """The next line without its end; bytes that are no ASCII become U+FFFD.

        Raises NoAnswerError where nothing came within ``seconds``, GarbledAnswerError where what
        came is no line, PortError where the port vanishes.
        """
        deadline = time.monotonic() + seconds
        while b"\n" not in self._pending:
            if time.monotonic() >= deadline:
                raise self._no_line(seconds)
            # Noise may go on for ever without the end of a line.
            self._pending = self._pending[-_LONGEST_LINE:] + self._read()
        raw, _, self._pending = self._pending.partition(b"\n")
        return self._logged(raw)

    def _logged(self, raw: bytes) -> str:
        text = raw.decode("ascii", errors="replace").strip("\r\0 ")
        self.log = [*self.log[-_LOG_LINES:], text]
        return text

    def _no_line(self, seconds: float) -> HilError:
        if not self._pending:
            return NoAnswerError(f"no line within {seconds:.1f} s", where=self.label)
        text = self._logged(self._pending)
        return GarbledAnswerError(f"no end of the line {text[:40]!r}", where=self.label)

    def drain(self, seconds: float) -> None:
        """Throws away what has arrived, until nothing came for a moment or ``seconds`` passed."""
        deadline = time.monotonic() + seconds
        while self._read() and time.monotonic() < deadline:
            pass
        self._pending = b""

    def _read(self) -> bytes:
        """What is there; waits a moment where nothing is."""
        try:
            waiting = min(self._port.in_waiting, _SLICE)
            return bytes(self._port.read(max(1, waiting)))
        except _GONE as error:
            raise self._vanished(error) from error

    def _vanished(self, error: BaseException) -> PortError:
        return PortError(
            f"the port vanished ({error})",
            where=self.label,
            remedy="check cable and power; does another program use the port?",
        )


def open_console(url: str, baud: int, dtr: bool = True, rts: bool = True) -> Console:
    """Opens a port for us alone, 8N1 without flow control, in raw mode, with its control lines
    as told. Raises PortError."""
    # pyserial has no limit for writing to RFC 2217 ports, whose socket has one of its own.
    limit = None if url.startswith("rfc2217:") else _WRITE_SECONDS
    try:
        port = serial.serial_for_url(
            url,
            do_not_open=True,
            baudrate=baud,
            timeout=_POLL_SECONDS,
            write_timeout=limit,
            exclusive=True,
        )
        # Set before it opens, so that they pulse as little as the system lets them.
        port.dtr = dtr
        port.rts = rts
        port.open()
    except (serial.SerialException, OSError, ValueError) as error:
        raise PortError(
            f"cannot be opened ({error})",
            where=url,
            remedy="close other programs that use it, and check the permissions",
        ) from error
    return Console(port, url)
