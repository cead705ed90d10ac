"""Types, quantization and contents in the IR's text form."""

from __future__ import annotations

import base64
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field

from aot.ir.syntax import INLINE_BYTES, attributes, name, number
from aot.ir.types import Data, TensorType

# 57 bytes are 76 characters of base64, the line length of RFC 2045 section 6.8.
_LINE_BYTES = 57


@dataclass
class TypePrinter:
    """Types refer to quantization per channel by number; ``definitions`` says what they stand
    for, once everything that refers to them is printed."""

    _numbers: dict[str, int] = field(default_factory=dict)

    def type(self, t: TensorType) -> str:
        """``dtype[shape]``, with ``<scale:zero_point>`` or ``<#number>`` where quantized."""
        q = t.quantization
        if q is None:
            return _shaped(t)
        if (len(q.scales), len(q.zero_points), q.axis) == (1, 1, 0):
            return f"{_shaped(t)}<{number(q.scale)}:{number(q.zero_point)}>"
        # By text: 0.0 and -0.0 are equal, but not the same, and a NaN equals nothing.
        key = self._numbers.setdefault(attributes(q), len(self._numbers))
        return f"{_shaped(t)}<#{key}>"

    def same(self, a: TensorType, b: TensorType) -> bool:
        """Whether two types print as the same text, which says more than ``==``."""
        return a is b or self.type(a) == self.type(b)

    def typed(self, text: str, t: TensorType) -> str:
        """``name: type``."""
        return f"{name(text)}: {self.type(t)}"

    def definitions(self) -> Iterator[str]:
        """One ``#number = {...}`` per quantization that a type refers to."""
        for text, key in self._numbers.items():
            yield from textwrap.wrap(f"#{key} = {text}", 100, subsequent_indent="  ")


def contents(data: Data, like: TensorType | None, indent: str) -> Iterator[str]:
    """``data`` after its type, which is left out where it is that of ``like``; the first line
    continues another."""
    same = like is not None and (data.shape, data.dtype) == (like.shape, like.dtype)
    head = "" if same else f"{_shaped(data.type)} = "
    if len(data.raw) <= INLINE_BYTES:
        # Grouped by element, from the left.
        yield f'{head}hex "{data.raw.hex(" ", -data.dtype.bytes)}"'
        return
    yield f"{head}base64 {{"
    for start in range(0, len(data.raw), _LINE_BYTES):
        line = base64.b64encode(data.raw[start : start + _LINE_BYTES]).decode("ascii")
        yield f'{indent}  "{line}"'
    yield f"{indent}}}"


def _shaped(t: TensorType) -> str:
    return f"{t.dtype.value}[{', '.join(map(str, t.shape))}]"
