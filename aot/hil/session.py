"""A conversation with the firmware: who it is, inputs in, inferences, outputs and figures back."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

from aot.hil.console import Console
from aot.hil.errors import (
    DeviceError,
    GarbledAnswerError,
    WrongBoardError,
    WrongFirmwareError,
)
from aot.hil.link import AGAIN, Link

_SMALLEST_PIECE, _FIRST_PIECE, _LARGEST_PIECE = 32, 128, 512
_PIECES_TO_GROW = 4


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

    ``retries`` counts exchanges that had to be repeated.
    """

    def __init__(self, console: Console, patience: float = 1.0) -> None:
        self._link = Link(console, patience)
        self._piece = _FIRST_PIECE
        self._clean = 0

    @property
    def retries(self) -> int:
        """How often a command had to be sent again."""
        return self._link.retries

    def sync(self) -> None:
        """Waits until the firmware answers. Raises NoAnswerError or GarbledAnswerError."""
        self._link.sync()

    def identify(self) -> Identity:
        """Build id, board and number of models."""
        match = self._match("build", r"m-build-\[([^,]*),([^,]*),([0-9]+)\]")
        return Identity(match[1], match[2], int(match[3]))

    def check(self, board: str, build_id: str) -> None:
        """Raises WrongBoardError or WrongFirmwareError where another firmware answers."""
        found = self.identify()
        if found.board != board:
            raise WrongBoardError(
                f"`{found.board}` answers where `{board}` was expected",
                where=self._link.label,
                remedy="choose the port of the right board",
            )
        if found.build_id != build_id:
            raise WrongFirmwareError(
                f"build {found.build_id} answers where {build_id} was expected",
                where=self._link.label,
                remedy="flash the board again",
            )

    def select(self, index: int) -> None:
        """Chooses a model of the firmware; its pools are painted anew."""
        self._match(f"model {index}", r"m-model-\[(.*)\]")

    def run(self, inputs: bytes, seconds: float = 120.0) -> list[bytes]:
        """Loads the bytes of all inputs, infers once, and returns each output.

        ``seconds`` bounds the inference, which takes place once however the line garbles.
        """
        self._load(inputs)
        lines = self._link.exchange("run", seconds, once=True)
        if lines not in ((AGAIN,), ("m-run-[0]",)):
            raise DeviceError(f"the inference ended with {lines}", where=self._link.label)
        return self._outputs()

    def measure(self) -> Measurement:
        """Figures of the last inference and since the model was selected."""
        ticks = self._match("ticks", r"m-ticks-\[([0-9]+),([0-9]+)\]")
        stack = self._match("stack", r"m-stack-\[([0-9]+),([0-9]+)\]")
        pools = [
            (match[1], int(match[2]))
            for line in self._link.exchange("pools")
            if (match := re.fullmatch(r"m-pool-\[([^,]*),([0-9]+),[0-9]+\]", line))
        ]
        return Measurement(int(ticks[1]), int(ticks[2]), int(stack[1]), tuple(pools))

    def _load(self, inputs: bytes) -> None:
        at = 0
        while at < len(inputs):
            piece = inputs[at : at + self._piece]
            self._sized(f"put {at} {piece.hex()}")
            at += len(piece)
        loaded = self._match("crc", r"m-crc-\[([0-9a-f]{8})\]")[1]
        self._check_crc(inputs, loaded, "inputs as loaded")

    def _outputs(self) -> list[bytes]:
        heads = [
            (int(match[1]), match[2])
            for line in self._link.exchange("output")
            if (match := re.fullmatch(r"m-output-\[[0-9]+,([0-9]+),([0-9a-f]{8})\]", line))
        ]
        outputs = [self._output(index, size) for index, (size, _) in enumerate(heads)]
        for output, (_, crc) in zip(outputs, heads, strict=True):
            self._check_crc(output, crc, "outputs")
        return outputs

    def _output(self, index: int, size: int) -> bytes:
        output = b""
        while len(output) < size:
            count = min(self._piece, size - len(output))
            for line in self._sized(f"get {index} {len(output)} {count}"):
                output += bytes.fromhex(line.removeprefix("m-hex-[").removesuffix("]"))
        return output

    def _sized(self, command: str) -> tuple[str, ...]:
        """An exchange with a piece of data, whose size follows what the line lets through."""
        before = self.retries
        lines = self._link.exchange(command)
        if self.retries > before:
            self._clean = 0
            self._piece = max(_SMALLEST_PIECE, self._piece // 2)
        else:
            self._clean += 1
            if self._clean % _PIECES_TO_GROW == 0:
                self._piece = min(_LARGEST_PIECE, 2 * self._piece)
        return lines

    def _check_crc(self, data: bytes, crc: str, what: str) -> None:
        if f"{zlib.crc32(data):08x}" != crc:
            raise GarbledAnswerError(f"wrong checksum of the {what}", where=self._link.label)

    def _match(self, command: str, pattern: str) -> re.Match[str]:
        """The match of ``pattern`` with a line of the answer."""
        lines = self._link.exchange(command)
        for line in lines:
            if match := re.fullmatch(pattern, line):
                return match
        raise GarbledAnswerError(
            f"no answer to `{command}` in {list(lines)}",
            where=self._link.label,
            remedy="the firmware is of another version; build and flash it again",
        )
