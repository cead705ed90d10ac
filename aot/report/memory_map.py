"""The memory map of a pool as SVG: steps to the right, addresses upwards, a rectangle per buffer
and interval."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aot.report.markup import text
from aot.report.schema import Buffer, Model, ModelPool

_LEFT, _TOP, _BOTTOM, _RIGHT = 84, 8, 36, 8
_HEIGHT, _WIDTH = 320, 900
_COLUMN_LEAST, _COLUMN_MOST = 6, 60
_CHARACTER, _LINE = 6.5, 12
_COLOURS = 8


def memory_map(model: Model, pool: ModelPool) -> str:
    """The map of ``pool`` as ``model`` plans it, as high as the bytes that it uses.

    Each rectangle carries what it shows: a title for people, and data-buffer, data-tensor,
    data-offset, data-bytes, data-first and data-last.
    """
    buffers = [b for b in model.buffers if b.pool == pool.name]
    column = min(_COLUMN_MOST, max(_COLUMN_LEAST, _WIDTH // model.steps))
    width = _LEFT + column * model.steps + _RIGHT
    height = _TOP + _HEIGHT + _BOTTOM
    lines = [
        f'<svg class="map" data-pool="{text(pool.name)}" role="img" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}" '
        f'aria-label="memory map of pool {text(pool.name)}">',
        f'<rect class="frame" x="{_LEFT}" y="{_TOP}" width="{column * model.steps}" '
        f'height="{_HEIGHT}"/>',
        *_axes(model, pool, column),
        *(line for i, b in enumerate(buffers) for line in _rectangles(b, pool, column, i)),
        "</svg>",
    ]
    return "\n".join(lines)


def _axes(model: Model, pool: ModelPool, column: int) -> Iterator[str]:
    for quarter in range(5):
        y = _y(pool.bytes * quarter / 4, pool)
        yield f'<text class="tick" x="{_LEFT - 6}" y="{y + 4:.2f}" text-anchor="end">'
        yield f"{pool.bytes * quarter // 4:,}</text>"
    origins = {o.step: o for o in model.operators}
    # A tick needs room for its number.
    every = -(-24 // column)
    for step in range(0, model.steps, every):
        x, y = _LEFT + (step + 0.5) * column, _TOP + _HEIGHT + 14
        name = f"<title>{text(origins[step].origin)}</title>" if step in origins else ""
        yield f'<text class="tick" x="{x:.2f}" y="{y}" text-anchor="middle">{name}{step}</text>'
    yield f'<text class="tick" x="{_LEFT}" y="{_TOP + _HEIGHT + 30}">step</text>'
    yield f'<text class="tick" x="4" y="{_TOP + _HEIGHT + 30}">byte</text>'


def _rectangles(buffer: Buffer, pool: ModelPool, column: int, number: int) -> Iterator[str]:
    top, bottom = _y(buffer.offset + buffer.bytes, pool), _y(buffer.offset, pool)
    label = buffer.name if buffer.tensor is None else buffer.tensor
    for first, last in buffer.live:
        x, width = _LEFT + first * column, (last - first + 1) * column
        yield (
            f'<rect class="c{number % _COLOURS}" x="{x}" y="{top:.2f}" width="{width}" '
            f'height="{bottom - top:.2f}" data-buffer="{text(full_name(buffer))}" '
            f'data-tensor="{text(buffer.tensor or "")}" data-offset="{buffer.offset}" '
            f'data-bytes="{buffer.bytes}" data-first="{first}" data-last="{last}">'
            f"<title>{text(_title(buffer, first, last))}</title></rect>"
        )
        if bottom - top > _LINE and width > 4 * _CHARACTER:
            shown = _cut(label, int((width - 6) / _CHARACTER))
            yield f'<text class="name" x="{x + 3}" y="{top + 11:.2f}">{text(shown)}</text>'


def full_name(buffer: Buffer) -> str:
    """The buffer's name with the function that it stands in."""
    return f"{buffer.function}/{buffer.name}"


def intervals(live: Sequence[tuple[int, int]]) -> str:
    """Closed intervals as text."""
    return ", ".join(f"{a}" if a == b else f"{a} to {b}" for a, b in live)


def _title(buffer: Buffer, first: int, last: int) -> str:
    tensor = f"{buffer.tensor} " if buffer.tensor is not None else ""
    return (
        f"{tensor}({full_name(buffer)}): {buffer.bytes:,} bytes at offset {buffer.offset:,}, "
        f"live in steps {intervals([(first, last)])}"
    )


def _cut(label: str, characters: int) -> str:
    """The end of ``label``, in which names of one model differ."""
    return label if len(label) <= characters else f"…{label[1 - characters :]}"


def _y(address: float, pool: ModelPool) -> float:
    return _TOP + _HEIGHT * (1 - address / pool.bytes)
