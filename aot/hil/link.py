"""Exchanges that hold over a bad line: each is repeated until command and answer are intact."""

from __future__ import annotations

import secrets
import time

from aot.hil import frame
from aot.hil.console import Console
from aot.hil.errors import (
    BoardResetError,
    DeviceError,
    GarbledAnswerError,
    NoAnswerError,
)

READY = "m-ready"
AGAIN = "m-again"
_REFUSALS = frozenset({"e-[Bad frame]", "e-[Unknown command]", "e-[Command too long]"})
_ATTEMPTS = 12
_ANSWER_SECONDS = 2.0
_LONGEST_SECONDS = 16.0
_SILENT_SECONDS = 30.0
_SYNC_SECONDS = 15.0
_READY_SECONDS = 0.5
_QUIET_SECONDS = 2.0


class Link:
    """The line to one firmware; ``patience`` multiplies every deadline.

    ``retries`` counts the attempts that had to be repeated.
    """

    def __init__(self, console: Console, patience: float = 1.0) -> None:
        self._console = console
        self._patience = patience
        # No answer to an earlier host may be taken for one to this.
        self._sequence = 1 + secrets.randbelow(1 << 24)
        self._count: int | None = None
        self.retries = 0

    @property
    def label(self) -> str:
        """The console's name in messages."""
        return self._console.label

    def sync(self) -> None:
        """Waits until the firmware answers, past banners, old logs and half a command.

        Raises NoAnswerError or GarbledAnswerError.
        """
        deadline = time.monotonic() + _SYNC_SECONDS * self._patience
        while True:
            self._sequence += 1
            # Whatever stands in the firmware's line ends here.
            self._console.send("%")
            try:
                self._count = self._attempt("", _ANSWER_SECONDS / 4, ready_ends=False).count
            except NoAnswerError as error:
                if time.monotonic() >= deadline:
                    raise self._silent() from error
            except GarbledAnswerError as error:
                if time.monotonic() >= deadline:
                    raise self._foreign() from error
            else:
                # Late answers to the attempts before.
                self._console.drain(_QUIET_SECONDS * self._patience)
                return

    def exchange(
        self, command: str, seconds: float = _ANSWER_SECONDS, once: bool = False
    ) -> tuple[str, ...]:
        """The lines that answer ``command``, which may take ``seconds`` after it has begun.

        Where the line garbles it the command is sent again; with ``once`` the firmware does not
        run it a second time, and the answer may be AGAIN alone. Raises NoAnswerError,
        GarbledAnswerError, BoardResetError, DeviceError where the firmware refuses, or PortError.
        """
        self._sequence += 1
        silent = 0.0
        deadline = _ANSWER_SECONDS
        for attempt in range(_ATTEMPTS):
            try:
                return self._checked(command, self._attempt(command, deadline, seconds))
            except (NoAnswerError, GarbledAnswerError) as error:
                if isinstance(error, NoAnswerError):
                    silent += deadline
                    deadline = min(2 * deadline, _LONGEST_SECONDS)
                if attempt == _ATTEMPTS - 1 or silent > max(_SILENT_SECONDS, seconds):
                    raise
            self.retries += 1
            self._console.send("%")
            self._console.drain(_QUIET_SECONDS * self._patience)
            self._sequence += 0 if once else 1
        raise AssertionError("the last attempt returns or raises")

    def _attempt(
        self,
        command: str,
        begin_seconds: float,
        seconds: float = _ANSWER_SECONDS,
        ready_ends: bool = True,
    ) -> frame.Answer:
        """One frame and its answer. ``ready_ends`` is off where old lines may hold READY."""
        self._console.send(frame.framed(self._sequence, command))
        self._await_begin(command, begin_seconds, ready_ends)
        lines: list[str] = []
        while True:
            # Only the first line may be late: the command runs before it.
            line = self._line(command, seconds if not lines else _ANSWER_SECONDS, lines)
            lines.append(line)
            if frame.is_end(line):
                break
            if line == READY:
                raise self._garbled(command, "breaks off")
        answer = frame.answer(self._sequence, lines)
        if answer is None:
            raise self._garbled(command, "has a wrong checksum")
        self._expect_ready()
        return answer

    def _await_begin(self, command: str, seconds: float, ready_ends: bool) -> None:
        begin = frame.begin(self._sequence)
        deadline = time.monotonic() + seconds * self._patience
        readies = 0
        seen = False
        while True:
            left = deadline - time.monotonic()
            try:
                line = self._console.line(max(0.0, left))
            except NoAnswerError:
                if not seen:
                    raise
                raise self._garbled(command, "does not begin") from None
            seen = True
            # What a board echoes of the command ends in `%` and has no line of its own.
            line = line.rpartition("%")[2]
            if line.endswith(begin):
                return
            readies += line == READY
            if ready_ends and (line in _REFUSALS or frame.is_end(line) or readies > 1):
                raise self._garbled(command, "does not begin")
            if left <= 0:
                raise self._garbled(command, "does not begin")

    def _line(self, command: str, seconds: float, lines: list[str]) -> str:
        try:
            return self._console.line(seconds * self._patience)
        except NoAnswerError as error:
            last = f" after {lines[-1]!r}" if lines else ""
            raise self._garbled(command, f"breaks off{last}") from error

    def _expect_ready(self) -> None:
        """Takes the READY that follows an answer, or what the line made of it."""
        try:
            self._console.line(_READY_SECONDS * self._patience)
        except (NoAnswerError, GarbledAnswerError):
            return

    def _silent(self) -> NoAnswerError:
        return NoAnswerError(
            f"no answer within {_SYNC_SECONDS * self._patience:.0f} s",
            where=self.label,
            remedy="is the firmware flashed, the board powered, and this its port?",
        )

    def _foreign(self) -> GarbledAnswerError:
        last = next((line for line in reversed(self._console.log) if line), "")
        return GarbledAnswerError(
            f"no answer of this firmware among what arrives, such as {last[:60]!r}",
            where=self.label,
            remedy="check the baud rate, and that the board runs a firmware of this tool",
        )

    def _garbled(self, command: str, what: str) -> GarbledAnswerError:
        return GarbledAnswerError(
            f"the answer to `{command[:24]}` {what}",
            where=self.label,
            remedy="check baud rate, cable and ground; does another program use the port?",
        )

    def _checked(self, command: str, answer: frame.Answer) -> tuple[str, ...]:
        """The lines of ``answer``, once the firmware has kept running and does not refuse."""
        again = answer.lines == (AGAIN,)
        expected = 0 if self._count is None else self._count + (0 if again else 1)
        if answer.count < expected:
            raise BoardResetError(
                f"the board started anew before or during `{command[:24]}`",
                where=self.label,
                remedy="check its power supply; does opening the port reset it?",
            )
        self._count = answer.count
        for line in answer.lines:
            if line.startswith("e-["):
                raise DeviceError(f"answers {line[2:]} to `{command[:24]}`", where=self.label)
        return answer.lines
