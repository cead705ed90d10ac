"""What changed between two reports, figure by figure."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TypeVar

from aot.report.schema import Model, Operator, PoolNeed, Region, Report


@dataclass(frozen=True)
class Change:
    """A figure that differs; None where one of the reports does not have its subject.

    ``grew`` says that it grew beyond the tolerance: from nothing, anything does.
    """

    subject: str
    figure: str
    before: int | None
    after: int | None
    grew: bool


_T = TypeVar("_T")
_Figure = tuple[str, str, int | None, int | None]
_MODEL_FIGURES: tuple[tuple[str, Callable[[Model], int]], ...] = (
    ("MACs", attrgetter("macs")),
    ("weight bytes", attrgetter("weights")),
    ("workspace bytes", attrgetter("workspace")),
    ("interface bytes", attrgetter("io")),
)
_OPERATOR_FIGURES: tuple[tuple[str, Callable[[Operator], int]], ...] = (
    ("MACs", attrgetter("macs")),
    ("weight bytes", attrgetter("weight_bytes")),
    ("live bytes", attrgetter("live_bytes")),
)


def compare(before: Report, after: Report, tolerance: float = 0.0) -> tuple[Change, ...]:
    """The figures that differ: flash, RAM, regions, pools, stack, then each model's.

    ``tolerance`` is a growth in percent that is not held against a figure. Models are paired by
    name and the others in their order, operators by the longest runs of equal kinds. A measured
    figure counts only where both reports have it.
    """
    return tuple(
        Change(subject, figure, old, new, _grew(old, new, tolerance))
        for subject, figure, old, new in _figures(before, after)
        if (old or 0) != (new or 0)
    )


def _grew(before: int | None, after: int | None, tolerance: float) -> bool:
    old, new = before or 0, after or 0
    return new > old and (new - old) * 100 > old * tolerance


def _figures(before: Report, after: Report) -> Iterator[_Figure]:
    a, b = before.memory, after.memory
    yield "firmware", "flash bytes", a.flash, b.flash
    yield "firmware", "RAM bytes", a.ram, b.ram
    yield from _named("region", a.regions, b.regions)
    yield from _named("pool", a.pools, b.pools)
    yield "stack", "reserved bytes", a.stack.bytes, b.stack.bytes
    for old, new in _paired(before.models, after.models):
        yield from _model(old, new)


def _named(
    kind: str, before: Sequence[Region | PoolNeed], after: Sequence[Region | PoolNeed]
) -> Iterator[_Figure]:
    old, new = ({use.name: use.bytes for use in uses} for uses in (before, after))
    for name in dict.fromkeys((*old, *new)):
        yield f"{kind} {name}", "bytes", old.get(name), new.get(name)


def _paired(
    before: Sequence[Model], after: Sequence[Model]
) -> Iterator[tuple[Model | None, Model | None]]:
    old, new = ({m.name: m for m in models} for models in (before, after))
    left = [m for m in after if m.name not in old]
    for model in before:
        if model.name in new:
            yield model, new[model.name]
        else:
            yield model, left.pop(0) if left else None
    yield from ((None, m) for m in left)


def _model(old: Model | None, new: Model | None) -> Iterator[_Figure]:
    name = _either(old, new).name
    subject = f"model {name}"
    for figure, get in _MODEL_FIGURES:
        yield subject, figure, _get(get, old), _get(get, new)
    a, b = (None if m is None else m.measured for m in (old, new))
    if a is not None and b is not None:
        yield subject, "measured ticks", a.ticks, b.ticks
        yield subject, "measured stack bytes", a.stack_bytes, b.stack_bytes
    for x, y in _aligned(old.operators if old else (), new.operators if new else ()):
        label = f"{name}: {_either(x, y).origin}"
        for figure, get_ in _OPERATOR_FIGURES:
            yield label, figure, _get(get_, x), _get(get_, y)
        if x and y and a and b and a.operator_ticks and b.operator_ticks:
            yield label, "ticks", a.operator_ticks[x.index], b.operator_ticks[y.index]


def _aligned(
    before: Sequence[Operator], after: Sequence[Operator]
) -> Iterator[tuple[Operator | None, Operator | None]]:
    """Pairs of operators, None where one side has no counterpart."""
    kinds = ([o.operator for o in before], [o.operator for o in after])
    matcher = difflib.SequenceMatcher(None, *kinds, autojunk=False)
    for _, a, a_end, b, b_end in matcher.get_opcodes():
        paired = min(a_end - a, b_end - b)
        yield from zip(before[a : a + paired], after[b : b + paired], strict=True)
        yield from ((o, None) for o in before[a + paired : a_end])
        yield from ((None, o) for o in after[b + paired : b_end])


def _either(old: _T | None, new: _T | None) -> _T:
    """The later of two, of which one may be missing."""
    found = new if new is not None else old
    assert found is not None, "a pair has at least one side"
    return found


def _get(figure: Callable[[_T], int], subject: _T | None) -> int | None:
    return None if subject is None else figure(subject)
