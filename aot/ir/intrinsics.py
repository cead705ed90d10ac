"""Signatures of the functions that a target provides to TIR."""

from __future__ import annotations

from dataclasses import dataclass

from aot.ir.types import DType


@dataclass(frozen=True)
class IntrinsicSignature:
    """``params`` are dtypes, None standing for the Address of an element of any dtype."""

    name: str
    params: tuple[DType | None, ...]
    result: DType
