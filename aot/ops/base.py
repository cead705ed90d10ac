"""What every operator says about itself: how it is read, checked, rewritten and lowered."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy.typing as npt

from aot.ir.graph import Call, Value
from aot.ir.op import Op
from aot.ir.types import Data, DType
from aot.ops.kernel import KernelBuilder
from aot.ops.node import Constraint, Node, Signature
from aot.ops.support.activation import Activation


class Constants(Protocol):
    """What a rewrite of one call may ask of the graph around it."""

    def add(self, name: str, array: npt.ArrayLike, dtype: DType) -> Value:
        """A new constant of the graph, its name made unique."""


@dataclass(frozen=True)
class KernelOp(Op):
    """An operator that can be lowered to a loop nest.

    ``operands`` names the kernel's operands; where a call has more, the last name repeats.
    """

    operands: ClassVar[tuple[str, ...]] = ("input",)

    @abstractmethod
    def lower(self, call: Call, k: KernelBuilder) -> None:
        """Emits the body of the kernel of ``call``."""

    def macs(self, call: Call) -> int:
        """Multiply-accumulates of one execution."""
        return 0

    def is_copy(self, call: Call) -> bool:
        """Whether the result has the very bytes of the first operand."""
        return False


@dataclass(frozen=True)
class TfliteOp(KernelOp):
    """An operator of the TFLite schema.

    ``code`` is its BuiltinOperator, ``versions`` the lowest and highest version whose semantics
    are implemented, ``options_type`` the table of its options ("" where it has none that
    matter), ``signatures`` the dtypes it takes and ``constraints`` what else must hold.
    """

    code: ClassVar[str] = ""
    versions: ClassVar[tuple[int, int]] = (1, 1)
    options_type: ClassVar[str] = ""
    signatures: ClassVar[tuple[Signature, ...]] = ()
    constraints: ClassVar[tuple[Constraint, ...]] = ()

    @classmethod
    @abstractmethod
    def read(cls, node: Node) -> tuple[TfliteOp, tuple[int, ...]]:
        """The operator, and which operands of the node stay operands of the call.

        Called where versions, signatures and constraints hold; shapes, axes and paddings that
        the file passes as constant operands become attributes.
        """

    def legalize(self, call: Call, constants: Constants) -> tuple[Call, ...]:
        """Calls of integer operators that compute ``call`` exactly; itself where it is one."""
        return (call,)

    def with_activation(self, activation: Activation) -> TfliteOp | None:
        """This operator with a fused activation, None where it cannot carry it."""
        return None

    def as_activation(self) -> Activation | None:
        """The activation that this operator is, None where it is more than one."""
        return None

    def fold(self, call: Call, operands: tuple[Data, ...]) -> Data | None:
        """The result where every operand is constant, None where it is left to run time."""
        return None
