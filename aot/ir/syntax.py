"""Words of the IR's text form that the printer and the parser share: names, literals, operators."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from typing import Any

from aot.ir.expr import BinaryOp, CompareOp
from aot.ir.tir import ForKind, HookKind, ParamRole
from aot.ir.types import DType

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)

DTYPES = {d.value: d for d in DType}

LOOPS = {k.value: k for k in ForKind if k is not ForKind.SERIAL}
"""Words before ``for``; a serial loop has none."""

ROLES = {r.value: r for r in ParamRole}

HOOKS = {h.value: h for h in HookKind}

RESERVED = frozenset(
    """allocate as block cast constant device else false for from if in inf invoke let max min nan
    none select true used var view""".split()
) | {*DTYPES, *LOOPS}
"""Words that mean something where a name may stand; a name that is spelled so is quoted."""

PRECEDENCE: dict[str, int] = {
    **{op.value: 0 for op in CompareOp},
    BinaryOp.OR.value: 1,
    BinaryOp.XOR.value: 2,
    BinaryOp.AND.value: 3,
    BinaryOp.SHL.value: 4,
    BinaryOp.SHR.value: 4,
    BinaryOp.ADD.value: 5,
    BinaryOp.SUB.value: 5,
    BinaryOp.MUL.value: 6,
    BinaryOp.DIV.value: 6,
    BinaryOp.MOD.value: 6,
}
"""Infix operators, those that bind tightest last, as in Python; all associate to the left."""

INLINE_BYTES = 32
"""Constants up to this size are printed in hex on their line, larger ones as lines of base64."""


def quote(text: str) -> str:
    """``text`` as a string of JSON; other alphabets stay readable."""
    return json.dumps(text, ensure_ascii=not text.isprintable())


def name(text: str) -> str:
    """``text`` bare where it is a plain identifier that means nothing else, else quoted."""
    plain = _IDENTIFIER.fullmatch(text) is not None and text not in RESERVED
    return text if plain else quote(text)


def number(value: float) -> str:
    """The shortest text that reads back as the same int or float."""
    return repr(float(value)) if isinstance(value, float) else str(int(value))


def literal(value: Any) -> str:
    """A number, bool, str, None, enum member, tuple of these, or dataclass of these."""
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, int | float):
        return number(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))}{',' if len(value) == 1 else ''})"
    if is_dataclass(value):
        return attributes(value)
    raise TypeError(f"{type(value).__name__} has no text form")


def attribute_list(value: Any, without: Collection[str] = (), defaults: bool = False) -> list[str]:
    """The fields of a dataclass as ``name=literal``, those in ``without`` left out, and those at
    their default too unless ``defaults`` asks for them."""
    shown = []
    for f in fields(value):
        if f.name in without:
            continue
        text = literal(getattr(value, f.name))
        # By text: 0, 0.0 and False are equal, but not the same.
        if defaults or f.default is MISSING or text != literal(f.default):
            shown.append(f"{f.name}={text}")
    return shown


def attributes(value: Any, without: Collection[str] = ()) -> str:
    """``{name=literal, ...}`` of a dataclass."""
    return braced(attribute_list(value, without)) or "{}"


def braced(shown: Collection[str]) -> str:
    """Attributes in braces; nothing where there are none."""
    return f"{{{', '.join(shown)}}}" if shown else ""


def suffix(value: Any, without: Collection[str] = (), defaults: bool = False) -> str:
    """The attributes in braces after a space; nothing where there are none."""
    text = braced(attribute_list(value, without, defaults))
    return f" {text}" if text else ""
