"""A conversation with the firmware: commands, answers, checksums, and finding back into step."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from aot.hil.console import Console
from aot.hil.errors import (
    BoardResetError,
    DeviceError,
    GarbledAnswerError,
    NoAnswerError,
    WrongBoardError,
    WrongFirmwareError,
)

_T = TypeVar("_T")
_READY = "m-ready"
_PIECE_BYTES = 512
_ATTEMPTS = 3
_SYNC_ATTEMPTS = 24
_SYNC_SECONDS = 0.5
_ANSWER_SECONDS = 5.0


@dataclass(frozen=True)
class Identity:
    """What the firmware says of itself."""

    build_id: str
    board: str
    models: int


@dataclass(frozen=True)
class Measurement:
    """Ticks of the last inference and their frequency; bytes of stack used and of each pool."""

    ticks: int
    hz: int
    stack_bytes: int
    pool_bytes: tuple[tuple[str, int], ...]


class Session:
    """Speaks to one board over ``console``; ``patience`` multiplies every deadline.

    Each command is followed by an echo of a number that was never sent before: the answer is
    what stands between. ``retries`` counts exchanges that had to be repeated.
    """

    def __init__(self, console: Console, patience: float = 1.0) -> None:
        self._console = console
        self._patience = patience
        self._nonce = 0
        self.retries = 0

    def sync(self) -> None:
        """Waits until the firmware answers, past banners, stale bytes and half a command.

        Raises NoAnswerError or GarbledAnswerError.
        """
        for attempt in range(_SYNC_ATTEMPTS):
            try:
                self._console.send("%")
                self._exchange("", _SYNC_SECONDS)
                return
            except (NoAnswerError, GarbledAnswerError, BoardResetError, DeviceError):
                if attempt == _SYNC_ATTEMPTS - 1:
                    raise
                self._console.drain(0.2)

    def identify(self) -> Identity:
        """Build id, board and number of models."""
        text = self._field("build", r"m-build-\[(.*)\]")
        parts = text.split(",")
        if len(parts) != 3 or not parts[2].isdigit():
            raise GarbledAnswerError(f"`{text}` is no identity", where=self._console.label)
        return Identity(parts[0], parts[1], int(parts[2]))

    def check(self, board: str, build_id: str) -> None:
        """Raises WrongBoardError or WrongFirmwareError where another firmware answers."""
        found = self.identify()
        if found.board != board:
            raise WrongBoardError(
                f"`{found.board}` answers where `{board}` was expected",
                where=self._console.label,
                remedy="choose the port of the right board",
            )
        if found.build_id != build_id:
            raise WrongFirmwareError(
                f"build {found.build_id} answers where {build_id} was expected",
                where=self._console.label,
                remedy="flash the board again",
            )

    def select(self, index: int) -> None:
        """Chooses a model of the firmware; its pools are painted anew."""
        self._field(f"model {index}", r"m-model-\[(.*)\]")

    def run(self, inputs: bytes, runs: int = 1, seconds: float = 120.0) -> list[bytes]:
        """Loads the bytes of all inputs, infers ``runs`` times, and returns each output.

        ``seconds`` bounds the inferences. A garbled exchange is repeated from the start.
        """

        def attempt() -> list[bytes]:
            self._load(inputs)
            answer = self._exchange(f"infer {runs}", seconds)
            if not any(line.startswith("m-infer-done") for line in answer):
                raise GarbledAnswerError(
                    "the end of the inference is missing", where=self._console.label
                )
            return self._outputs()

        return self._repeated(attempt)

    def measure(self) -> Measurement:
        """Figures of the last inference and since the model was selected."""
        ticks, hz = self._numbers("ticks", r"m-ticks-\[([0-9]+),([0-9]+)\]")
        used, _ = self._numbers("stack", r"m-stack-\[([0-9]+),([0-9]+)\]")
        pools = [
            (match[1], int(match[2]))
            for line in self._repeated(lambda: self._exchange("pools", _ANSWER_SECONDS))
            if (match := re.fullmatch(r"m-pool-\[([^,]*),([0-9]+),[0-9]+\]", line))
        ]
        return Measurement(ticks, hz, used, tuple(pools))

    def _load(self, inputs: bytes) -> None:
        if not inputs:
            return
        self._exchange(f"db load {len(inputs)}", _ANSWER_SECONDS)
        for at in range(0, len(inputs), _PIECE_BYTES):
            self._exchange(f"db {inputs[at : at + _PIECE_BYTES].hex()}", _ANSWER_SECONDS)
        loaded = self._field("crc", r"m-crc-\[([0-9a-f]{8})\]")
        self._check_crc(inputs, loaded, "inputs as loaded")

    def _outputs(self) -> list[bytes]:
        outputs: list[bytes] = []
        heads: list[tuple[int, str]] = []
        for line in self._exchange("output", _ANSWER_SECONDS):
            if match := re.fullmatch(r"m-output-\[[0-9]+,([0-9]+),([0-9a-f]{8})\]", line):
                heads.append((int(match[1]), match[2]))
                outputs.append(b"")
            elif (match := re.fullmatch(r"m-hex-\[((?:[0-9a-f]{2})*)\]", line)) and outputs:
                outputs[-1] += bytes.fromhex(match[1])
        if not outputs:
            raise GarbledAnswerError("the outputs are missing", where=self._console.label)
        for (size, crc), output in zip(heads, outputs, strict=True):
            if len(output) != size:
                raise GarbledAnswerError(
                    f"{len(output)} of {size} output bytes arrived", where=self._console.label
                )
            self._check_crc(output, crc, "outputs")
        return outputs

    def _check_crc(self, data: bytes, crc: str, what: str) -> None:
        if f"{zlib.crc32(data):08x}" != crc:
            raise GarbledAnswerError(f"wrong checksum of the {what}", where=self._console.label)

    def _numbers(self, command: str, pattern: str) -> tuple[int, int]:
        match = re.search(
            pattern, "\n".join(self._repeated(lambda: self._matching(command, pattern)))
        )
        assert match is not None, "matching() has looked"
        return int(match[1]), int(match[2])

    def _field(self, command: str, pattern: str) -> str:
        lines = self._repeated(lambda: self._matching(command, pattern))
        match = re.search(pattern, "\n".join(lines))
        assert match is not None, "matching() has looked"
        return match[1]

    def _matching(self, command: str, pattern: str) -> list[str]:
        """The answer, in which ``pattern`` occurs."""
        lines = self._exchange(command, _ANSWER_SECONDS)
        if not any(re.search(pattern, line) for line in lines):
            raise GarbledAnswerError(
                f"no answer to `{command}` in {lines}", where=self._console.label
            )
        return lines

    def _repeated(self, attempt: Callable[[], _T]) -> _T:
        """``attempt``, again after finding back into step where the line garbled it."""
        for left in range(_ATTEMPTS - 1, -1, -1):
            try:
                return attempt()
            except (NoAnswerError, GarbledAnswerError):
                if not left:
                    raise
                self.retries += 1
                self.sync()
        raise AssertionError("the last attempt returns or raises")

    def _exchange(self, command: str, seconds: float) -> list[str]:
        """The lines that answer ``command``; an empty one asks for the echo alone."""
        self._nonce += 1
        end = f"m-echo-[{self._nonce}]"
        self._console.send(f"{command}%echo {self._nonce}%" if command else f"echo {self._nonce}%")
        lines: list[str] = []
        while True:
            try:
                line = self._console.line(seconds * self._patience)
            except NoAnswerError as error:
                if not lines:
                    raise
                raise GarbledAnswerError(
                    f"the answer to `{command[:24]}` broke off after {lines[-1]!r}",
                    where=self._console.label,
                ) from error
            if line == end:
                break
            lines.append(line)
        self._expect_ready(command, seconds)
        return self._checked(command, [line for line in lines if line])

    def _expect_ready(self, command: str, seconds: float) -> None:
        line = self._console.line(seconds * self._patience)
        if line != _READY:
            raise GarbledAnswerError(
                f"{line!r} follows the answer to `{command[:24]}`", where=self._console.label
            )

    def _checked(self, command: str, lines: list[str]) -> list[str]:
        """``lines`` up to the ready that ends them, once they hold no error."""
        readies = lines.count(_READY)
        if not readies and command:
            raise GarbledAnswerError(
                f"the answer to `{command[:24]}` has no end", where=self._console.label
            )
        if readies > 1 and command:
            raise BoardResetError(
                f"the board started anew during `{command[:24]}`",
                where=self._console.label,
                remedy="check its power supply; does opening the port reset it?",
            )
        for line in lines:
            if line.startswith("e-["):
                raise DeviceError(
                    f"answers {line[2:]} to `{command[:24]}`", where=self._console.label
                )
        return [line for line in lines if line != _READY]
