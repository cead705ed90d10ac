"""The base of every graph operator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Op:
    """A graph operator; subclasses are frozen dataclasses whose fields are its attributes.

    Fields hold int, float, bool, str, None, enums, or tuples of these: what the printer prints
    and the parser reads back. ``name`` is the operator's word in the text form.
    """

    name: ClassVar[str] = ""


@dataclass(frozen=True)
class CallPrim(Op):
    """A call of a PrimFunc of the same module; what LowerOperators leaves in the graph.

    Operands bind to the function's INPUT and CONSTANT parameters in order, outputs to its
    OUTPUT parameters.
    """

    name: ClassVar[str] = "call_prim"
    function: str
