"""Intrinsics: functions that a target provides to TIR, by signature and by C definition."""

from __future__ import annotations

from dataclasses import dataclass

from aot.ir.types import DType


@dataclass(frozen=True)
class IntrinsicSignature:
    """``params`` are dtypes, None standing for the Address of an element of any dtype."""

    name: str
    params: tuple[DType | None, ...]
    result: DType


@dataclass(frozen=True)
class IntrinsicDefinition:
    """An intrinsic as a ``static inline`` C99 function.

    In ``c``, ``$f`` stands for the generated name of intrinsic ``f``: its own and those of the
    intrinsics that it calls, which ``requires`` lists.
    """

    signature: IntrinsicSignature
    c: str
    requires: tuple[str, ...] = ()
