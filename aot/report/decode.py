"""Reads dataclasses back from JSON, checking every field's type."""

from __future__ import annotations

import types
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

_T = TypeVar("_T")


class ShapeError(ValueError):
    """JSON that does not have the form of the type; the message names the place."""


def decode(kind: type[_T], data: object) -> _T:
    """``data``, as json.loads returns it, as a dataclass ``kind``.

    Fields are scalars, optional ones, tuples, dicts with string keys, or dataclasses of such.
    Unknown keys are ignored and a field with a default may be missing. Raises ShapeError.
    """
    return cast(_T, _value(kind, data, "the file"))


def _value(kind: Any, data: object, place: str) -> Any:
    if is_dataclass(kind):
        return _object(kind, data, place)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is types.UnionType:
        (inner,) = (a for a in arguments if a is not types.NoneType)
        return None if data is None else _value(inner, data, place)
    if origin is tuple:
        return _tuple(arguments, _expect(list, data, place), place)
    if origin is dict:
        entries = _expect(dict, data, place)
        return {k: _value(arguments[1], v, f"{place}: {k}") for k, v in entries.items()}
    if kind is float:
        return float(data) if type(data) is int else _expect(float, data, place)
    return _expect(kind, data, place)


def _object(kind: Any, data: object, place: str) -> Any:
    entries = _expect(dict, data, place)
    hints = get_type_hints(kind)
    values = {}
    for f in fields(kind):
        if f.name in entries:
            values[f.name] = _value(hints[f.name], entries[f.name], f"{place}: {f.name}")
        elif f.default is MISSING:
            raise ShapeError(f"{place} has no `{f.name}`")
    return kind(**values)


def _tuple(arguments: tuple[Any, ...], items: list[object], place: str) -> tuple[Any, ...]:
    if arguments[-1] is Ellipsis:
        return tuple(_value(arguments[0], v, f"{place}[{i}]") for i, v in enumerate(items))
    if len(items) != len(arguments):
        raise ShapeError(f"{place} has {len(items)} items, not {len(arguments)}")
    pairs = zip(arguments, items, strict=True)
    return tuple(_value(a, v, f"{place}[{i}]") for i, (a, v) in enumerate(pairs))


def _expect(kind: Any, data: object, place: str) -> Any:
    # A bool is an int to isinstance.
    if type(data) is not kind:
        raise ShapeError(f"{place} is {type(data).__name__}, not {kind.__name__}")
    return data
