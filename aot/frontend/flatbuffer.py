"""Bounded access to a flatbuffer: a damaged file costs time in proportion to its size."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import tflite

from aot.frontend.errors import MalformedModelError

_T = TypeVar("_T")
_SMALLEST_FILE = 16
_SCHEMA_VERSION = 3

# An empty table: its vtable of 4 bytes, then the offset back to it. Every field has its default.
_EMPTY_TABLE = struct.pack("<HHi", 4, 4, 4)


@contextmanager
def damage_reported() -> Iterator[None]:
    """Turns what the accessors raise on wild offsets into MalformedModelError."""
    try:
        yield
    except (struct.error, IndexError, ValueError, TypeError, OverflowError) as error:
        raise MalformedModelError(f"offsets point outside the file ({error})") from error


def options_table(name: str, union: Any) -> Any:
    """The table ``union`` as the accessor class ``name``, all defaults where it is None."""
    table = getattr(tflite, name)()
    if union is None:
        table.Init(_EMPTY_TABLE, 4)
    else:
        table.Init(union.Bytes, union.Pos)
    return table


class Flatbuffer:
    """The bytes of a file and how many vector elements may still be read from it.

    Every element of a vector takes at least a byte, so a sound file never has more elements
    than bytes; one whose vectors alias each other runs out of budget.
    """

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self._budget = len(raw)

    def model(self) -> Any:
        """The root table, once the file looks like TFLite at all."""
        if len(self.raw) < _SMALLEST_FILE:
            raise MalformedModelError(f"{len(self.raw)} bytes are too few for a model")
        if self.raw[4:8] != b"TFL3":
            raise MalformedModelError("the file identifier TFL3 is missing")
        model = tflite.Model.GetRootAs(self.raw, 0)
        if model.Version() != _SCHEMA_VERSION:
            raise MalformedModelError(f"schema version is {model.Version()}, not 3")
        return model

    def vector(self, length: int, item: Callable[[int], _T], what: str) -> tuple[_T, ...]:
        """All elements of a vector of ``length``, which an accessor reported."""
        if not 0 <= length <= self._budget:
            raise MalformedModelError(f"{what} claims {length} elements, more than the file holds")
        self._budget -= length
        return tuple(item(i) for i in range(length))

    def bytes(self, start: int, size: int, what: str) -> bytes:
        """``size`` bytes from ``start``."""
        if start < 0 or size < 0 or start + size > len(self.raw):
            raise MalformedModelError(f"{what} lies outside the file")
        return self.raw[start : start + size]


def text(raw: bytes | None) -> str:
    """A name of the file; "" where it is missing, replacement characters where it is no UTF-8."""
    return "" if raw is None else raw.decode("utf-8", errors="replace")
