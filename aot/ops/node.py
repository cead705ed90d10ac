"""One operator of the file as the reader hands it to the operator's class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from aot.ir.types import Data, DType, TensorType


@dataclass(frozen=True)
class Tensor:
    """A tensor of the file; ``data`` is its contents where it is constant."""

    name: str
    type: TensorType
    data: Data | None = None


@dataclass(frozen=True)
class Node:
    """An operator of the file: its place, builtin code, version, tensors and options.

    ``inputs`` holds None for an optional operand that is absent. ``options`` is the flatbuffer
    table that the operator's class asks for (an accessor of the ``tflite`` package), with every
    field at its default where the file has none; None where the class asks for no table.
    """

    index: int
    code: str
    version: int
    inputs: tuple[Tensor | None, ...]
    outputs: tuple[Tensor, ...]
    options: Any = None

    @property
    def where(self) -> str:
        """The operator's place, for messages."""
        return f"{self.code} #{self.index}"

    def input(self, i: int) -> Tensor | None:
        """Operand ``i``, None where it is absent or the list is shorter."""
        return self.inputs[i] if i < len(self.inputs) else None

    def operand(self, i: int) -> Tensor:
        """Operand ``i`` of an operator whose constraints have been checked."""
        tensor = self.input(i)
        assert tensor is not None, "checked by the operator's signature"
        return tensor

    def listed(self, i: int) -> tuple[int, ...] | None:
        """The elements of integer operand ``i`` by its own dtype; None where it is not constant,
        which is another rule's matter."""
        data = self.operand(i).data
        return None if data is None else tuple(int(v) for v in data.array().reshape(-1))

    def ints(self, i: int) -> tuple[int, ...]:
        """The elements of an operand that the operator's constraints require to be constant."""
        values = self.listed(i)
        assert values is not None, "checked by the operator's constraints"
        return values


Constraint = Callable[[Node], bool]
"""A rule on a node; its docstring is the refusal's message and the line of the support table."""


@dataclass(frozen=True)
class Signature:
    """Dtypes of the operands and results that an operator takes together.

    The last ``optional`` operands may be absent; where ``variadic`` is set, the last one repeats.
    """

    inputs: tuple[DType, ...]
    outputs: tuple[DType, ...]
    optional: int = 0
    variadic: bool = False

    def accepts(self, node: Node) -> bool:
        """Whether the node's operands and results have these dtypes."""
        if tuple(t.type.dtype for t in node.outputs) != self.outputs:
            return False
        present = list(node.inputs)
        while present and present[-1] is None:
            present.pop()
        expected = list(self.inputs)
        if self.variadic:
            expected += expected[-1:] * (len(present) - len(expected))
        required = len(expected) - self.optional
        if not required <= len(present) <= len(expected):
            return False
        return all(
            (tensor is None and i >= required) or (tensor is not None and tensor.type.dtype is d)
            for i, (tensor, d) in enumerate(zip(present, expected, strict=False))
        )

    def __str__(self) -> str:
        required = len(self.inputs) - self.optional
        names = [d.value + ("?" if i >= required else "") for i, d in enumerate(self.inputs)]
        if self.variadic:
            names[-1] += "..."
        return f"({', '.join(names)}) -> {', '.join(d.value for d in self.outputs)}"
