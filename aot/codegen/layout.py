"""Lines of generated C that keep to a readable width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

WIDTH = 100


def wrapped(
    head: str, items: Sequence[str], tail: str, separator: str = ", ", hanging: bool = False
) -> Iterator[str]:
    """``head``, the items with ``separator`` between them, and ``tail``, on one line if it fits.

    Otherwise the items start on a line of their own, four columns right of ``head``; ``hanging``
    ones stay behind ``head`` and start below each other. An item wider than a line keeps its own.
    """
    line = head + separator.join(items) + tail
    if len(line) <= WIDTH or not items:
        yield line
        return
    indent = " " * (len(head) if hanging else len(head) - len(head.lstrip()) + 4)
    if not hanging:
        yield head
    line = head if hanging else indent
    for i, item in enumerate(items):
        piece = item + (tail if i == len(items) - 1 else separator)
        if i > 0 and len(line) + len(piece.rstrip()) > WIDTH:
            yield line.rstrip()
            line = indent
        line += piece
    yield line
