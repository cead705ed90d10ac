"""HTML of text and tables, in which nothing from outside can become markup."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from aot.codegen.comments import printable

Cell = str | int | None
"""What a table shows: text, a number with thousands set apart, or nothing known."""


def text(value: str) -> str:
    """``value`` as the content of an element or of a quoted attribute."""
    return html.escape(printable(value), quote=True)


def cell(value: Cell) -> str:
    """``value`` as a cell of a table."""
    if isinstance(value, int):
        return f'<td class="n">{value:,}</td>'
    return f"<td>{'&ndash;' if value is None else text(value)}</td>"


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A table with a row of heads."""
    body = ("<tr>" + "".join(map(cell, row)) + "</tr>" for row in rows)
    return framed(caption, heads, body)


def framed(caption: str, heads: Sequence[str], rows: Iterable[str]) -> str:
    """A table of rows that are markup already."""
    head = "".join(f'<th scope="col">{text(h)}</th>' for h in heads)
    lines = "\n".join(rows)
    return (
        f'<div class="wide"><table><caption>{text(caption)}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}\n</tbody></table></div>"
    )
