"""The graph level: operators on SSA tensor values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from aot.ir.op import Op
from aot.ir.types import Data, TensorType


@dataclass(frozen=True)
class Value:
    """An SSA value: a name that is unique in its function, and a type."""

    name: str
    type: TensorType


@dataclass(frozen=True)
class Constant:
    """A value known at compile time."""

    value: Value
    data: Data


@dataclass(frozen=True)
class Call:
    """One operator applied to values; None stands for an optional operand that is absent.

    ``origin`` says which operator of the model this came from, for messages and reports.
    """

    op: Op
    inputs: tuple[Value | None, ...]
    outputs: tuple[Value, ...]
    origin: str = ""

    @property
    def operands(self) -> tuple[Value, ...]:
        """The inputs that are present."""
        return tuple(v for v in self.inputs if v is not None)


@dataclass(frozen=True)
class Port:
    """A value that crosses the function's interface, under the name the model gives it."""

    name: str
    value: Value


@dataclass(frozen=True)
class GraphFunction:
    """A function of operators in execution order."""

    name: str
    params: tuple[Port, ...]
    constants: tuple[Constant, ...]
    calls: tuple[Call, ...]
    results: tuple[Port, ...]

    @cached_property
    def _data(self) -> dict[str, Data]:
        return {c.value.name: c.data for c in self.constants}

    def constant(self, value: Value | None) -> Data | None:
        """The contents of ``value`` where it is a constant, else None."""
        return None if value is None else self._data.get(value.name)
