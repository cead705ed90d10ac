"""Lines of generated C that keep to a readable width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

WIDTH = 100


def wrapped(head: str, items: Sequence[str], tail: str, separator: str = ", ") -> Iterator[str]:
    """``head``, the items with ``separator`` between them, and ``tail``, on one line if it fits.

    Otherwise the items start on a line of their own, four columns right of ``head``.
    """
    line = head + separator.join(items) + tail
    if len(line) <= WIDTH or not items:
        yield line
        return
    yield head
    indent = " " * (len(head) - len(head.lstrip()) + 4)
    line = indent
    for i, item in enumerate(items):
        piece = item + (tail if i == len(items) - 1 else separator)
        if line != indent and len(line) + len(piece.rstrip()) > WIDTH:
            yield line.rstrip()
            line = indent
        line += piece
    yield line
