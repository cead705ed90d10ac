"""The base of every graph operator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from aot.errors import MicroaotError
from aot.ir.types import TensorType


class TypeRuleError(MicroaotError):
    """Operands that an operator cannot take."""


@dataclass(frozen=True)
class Op:
    """A graph operator; subclasses are frozen dataclasses whose fields are its attributes.

    Fields hold int, float, bool, str, None, enums, or tuples of these: what the printer prints
    and the parser reads back. ``name`` is the operator's word in the text form.
    """

    name: ClassVar[str] = ""

    def infer(self, inputs: tuple[TensorType | None, ...]) -> tuple[TensorType, ...] | None:
        """Shapes and dtypes of the results (quantization left out) for operands of these types.

        None where operands do not determine the results. Raises TypeRuleError where the operands
        do not fit the operator.
        """
        raise NotImplementedError(type(self).__name__)


@dataclass(frozen=True)
class CallPrim(Op):
    """A call of a PrimFunc of the same module; what LowerOperators leaves in the graph.

    Operands bind to the function's INPUT and CONSTANT parameters in order, outputs to its
    OUTPUT parameters.
    """

    name: ClassVar[str] = "call_prim"
    function: str

    def infer(self, inputs: tuple[TensorType | None, ...]) -> None:
        """The callee's parameters decide; the verifier compares with them."""
