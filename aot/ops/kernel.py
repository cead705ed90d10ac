"""Builds the PrimFunc of one call: parameters for its operands and results, then the body."""

from __future__ import annotations

from aot.ir.builder import BodyBuilder
from aot.ir.expr import Buffer, Expr, Load, Scalar, imm
from aot.ir.graph import Call
from aot.ir.target import Target
from aot.ir.tir import OperatorInfo, Param, ParamRole, PrimFunc
from aot.ir.types import DType, TensorType


class KernelBuilder(BodyBuilder):
    """Operands become INPUT or CONSTANT parameters in order, results OUTPUT parameters.

    ``names`` are the operands' names; an absent operand has no parameter and a repeated last
    name is numbered.
    """

    def __init__(self, call: Call, names: tuple[str, ...], constants: tuple[bool, ...]) -> None:
        super().__init__()
        self._inputs: list[Buffer | None] = []
        self._params: list[Param] = []
        for i, value in enumerate(call.inputs):
            if value is None:
                self._inputs.append(None)
                continue
            name = self.fresh(names[min(i, len(names) - 1)])
            role = ParamRole.CONSTANT if constants[i] else ParamRole.INPUT
            self._inputs.append(self._param(name, role, value.type))
        self._outputs = [
            self._param(self.fresh("output"), ParamRole.OUTPUT, value.type)
            for value in call.outputs
        ]

    def _param(self, name: str, role: ParamRole, type_: TensorType) -> Buffer:
        buffer = Buffer(name, type_.plain())
        self._params.append(Param(name, role, buffer))
        return buffer

    def input(self, i: int) -> Buffer:
        """The buffer of operand ``i``, which is present."""
        buffer = self._inputs[i]
        assert buffer is not None, "the operator knows which operands it has"
        return buffer

    def has_input(self, i: int) -> bool:
        """Whether operand ``i`` is present."""
        return i < len(self._inputs) and self._inputs[i] is not None

    @property
    def inputs(self) -> tuple[Buffer, ...]:
        """The buffers of the operands that are present."""
        return tuple(b for b in self._inputs if b is not None)

    def output(self, i: int = 0) -> Buffer:
        """The buffer of result ``i``."""
        return self._outputs[i]

    def load(self, buffer: Buffer, index: Scalar) -> Expr:
        """One element at a flat index."""
        return Load(buffer, index if isinstance(index, Expr) else imm(index, DType.INT32))

    def load_as(self, dtype: DType, buffer: Buffer, index: Scalar) -> Expr:
        """One element, converted to ``dtype``."""
        return self.load(buffer, index).cast(dtype)

    def function(self, name: str, target: Target, info: OperatorInfo) -> PrimFunc:
        """The finished function."""
        return PrimFunc(name, tuple(self._params), self.body(), target, info=info)
