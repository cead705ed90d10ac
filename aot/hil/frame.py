"""Frames of the wire protocol: a sequence number and checksums around a command and its answer.

`!SEQUENCE,CRC,COMMAND%` is answered by lines from `m-begin-[SEQUENCE]` to
`m-end-[SEQUENCE,COUNT,CRC]`, where COUNT is of commands since the firmware started. Checksums are
CRC-32 as in zlib: over the sequence's digits and the command; over the answer with lines ended by
one newline each, up to the last comma.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

_END = re.compile(r"(m-end-\[([0-9]+),([0-9]+),)([0-9a-f]{8})\]")


@dataclass(frozen=True)
class Answer:
    """The lines between begin and end, and how many commands the firmware has run."""

    lines: tuple[str, ...]
    count: int


def framed(sequence: int, command: str) -> str:
    """``command``, ASCII without `%`, as it goes over the line."""
    crc = zlib.crc32(f"{sequence}{command}".encode("ascii"))
    return f"!{sequence},{crc:08x},{command}%"


def begin(sequence: int) -> str:
    """The line with which the answer begins."""
    return f"m-begin-[{sequence}]"


def is_end(line: str) -> bool:
    """Whether ``line`` has the form of the last line of an answer."""
    return _END.fullmatch(line) is not None


def answer(sequence: int, lines: Sequence[str]) -> Answer | None:
    """The answer in ``lines``, the first after begin, the last the end; None where a sequence or
    the checksum is wrong."""
    match = _END.fullmatch(lines[-1])
    if match is None or int(match[2]) != sequence:
        return None
    text = "".join(f"{line}\n" for line in (begin(sequence), *lines[:-1])) + match[1]
    if zlib.crc32(text.encode("ascii", "replace")) != int(match[4], 16):
        return None
    return Answer(tuple(lines[:-1]), int(match[3]))
