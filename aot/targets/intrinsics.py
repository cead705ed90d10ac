"""How a target provides its intrinsics: signatures for the verifier, C for the generated file."""

from __future__ import annotations

from dataclasses import dataclass

from aot.ir.intrinsics import IntrinsicSignature


@dataclass(frozen=True)
class IntrinsicDefinition:
    """An intrinsic as a ``static inline`` C99 function.

    In ``c``, ``$name`` stands for the function's name in the generated file and ``$other`` for
    another intrinsic of the table, which ``requires`` then lists.
    """

    signature: IntrinsicSignature
    c: str
    requires: tuple[str, ...] = ()
