"""Where two modules differ: a path and the two values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import zip_longest
from typing import Any

from aot.ir.expr import Buffer, Var
from aot.ir.graph import GraphFunction, Value
from aot.ir.module import IRModule
from aot.ir.pools import BufferKey, Pool
from aot.ir.tir import PrimFunc, Seq

_LONGEST = 60
_KINDS = {Buffer: "buffer", Var: "variable", Value: "value"}


def difference(a: IRModule, b: IRModule) -> str | None:
    """None where the modules are equal, else the first difference as ``path: one != other``.

    Stricter than ``==`` where the generated code would differ: 0.0 is not -0.0 and 1 is not 1.0.
    More lenient for NaN, which is equal to NaN.
    """
    return _difference("", a, b)


def _difference(path: str, a: Any, b: Any) -> str | None:
    if a is b:
        return None
    if isinstance(a, float) and isinstance(b, float):
        return None if repr(a) == repr(b) else _unequal(path, a, b)
    if isinstance(a, float) or isinstance(b, float):
        return _unequal(path, a, b)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return _in_tuples(path, a, b)
    if isinstance(a, bytes) and isinstance(b, bytes):
        return _in_bytes(path, a, b)
    if is_dataclass(a) and type(a) is type(b) and not isinstance(a, BufferKey):
        return _in_fields(path, a, b)
    return None if a == b else _unequal(path, a, b)


def _in_fields(path: str, a: Any, b: Any) -> str | None:
    if type(a) in _KINDS and a.name != b.name:
        return _unequal(path, a, b)
    for f in fields(a):
        # A Seq adds nothing to the path: body[3], not body.body[3].
        inner = path if isinstance(a, Seq) else f"{path}.{f.name}" if path else f.name
        found = _difference(inner, getattr(a, f.name), getattr(b, f.name))
        if found is not None:
            return found
    return None


def _in_tuples(path: str, a: tuple[Any, ...], b: tuple[Any, ...]) -> str | None:
    for i, (x, y) in enumerate(zip_longest(a, b)):
        if i >= min(len(a), len(b)):
            return f"{path}: {len(a)} items != {len(b)} items"
        found = _difference(f"{path}[{_index(i, x, y)}]", x, y)
        if found is not None:
            shift = "" if len(a) == len(b) else f" (of {len(a)} and {len(b)} items)"
            return found + shift
    return None


def _index(i: int, x: object, y: object) -> str:
    """Functions and pools go by their names."""
    named = (GraphFunction, PrimFunc, Pool)
    if isinstance(x, named) and isinstance(y, named) and x.name == y.name:
        return x.name
    return str(i)


def _in_bytes(path: str, a: bytes, b: bytes) -> str | None:
    if a == b:
        return None
    if len(a) != len(b):
        return f"{path}: {len(a)} bytes != {len(b)} bytes"
    i = next(i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y)
    return f"{path}[{i}]: 0x{a[i]:02x} != 0x{b[i]:02x}"


def _unequal(path: str, a: object, b: object) -> str:
    return f"{path}: {_text(a)} != {_text(b)}"


def _text(value: object) -> str:
    """What one needs to know of a value, on part of a line."""
    if isinstance(value, Buffer | Var | Value):
        return f"{_KINDS[type(value)]} `{value.name}`"
    if isinstance(value, BufferKey):
        return str(value)
    if isinstance(value, Enum):
        return value.name
    if is_dataclass(value):
        return type(value).__name__
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"{len(value)} items"
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
