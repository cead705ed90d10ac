"""Lookup: int8 to int8 through a table of 256 entries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from aot.ir.graph import Call
from aot.ir.types import DType, TensorType
from aot.ops.base import Constants, KernelOp
from aot.ops.kernel import KernelBuilder
from aot.ops.support.quantization import affine

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Lookup(KernelOp):
    """Operand 1 is the table, int8 [256]: entry x + 128 is the result for x."""

    name: ClassVar[str] = "lookup"
    operands: ClassVar[tuple[str, ...]] = ("input", "table")

    def infer(self, inputs: tuple[TensorType | None, ...]) -> tuple[TensorType, ...]:
        assert inputs[0] is not None, "required operand"
        return (inputs[0].plain(),)

    def lower(self, call: Call, k: KernelBuilder) -> None:
        with k.loop("i", 0, call.outputs[0].type.elements) as i:
            entry = k.load_as(DType.INT32, k.input(0), i) + 128
            k.store(k.output(), i, k.load(k.input(1), entry))


def tabulated(
    call: Call, function: Callable[[_Floats], _Floats], constants: Constants
) -> tuple[Call, ...]:
    """An int8 ``call`` as a Lookup of ``function``; other dtypes as they are.

    An entry is round(function(scale * (x - zero_point)) / output scale) + output zero point,
    halves away from zero, in float32 (TFLite kernels/internal/common.h, LUTPopulate).
    """
    source, output = call.operands[0].type, call.outputs[0].type
    if output.dtype is not DType.INT8:
        return (call,)
    low, high = DType.INT8.bounds
    stored = np.arange(low, high + 1)
    real = np.float32(affine(source).scale) * (stored - affine(source).zero_point).astype(
        np.float32
    )
    value = function(real.astype(np.float64)).astype(np.float32)
    scaled = value * (np.float32(1.0) / np.float32(affine(output).scale))
    rounded = np.copysign(np.floor(np.abs(scaled) + np.float32(0.5)), scaled)
    table = np.clip(rounded + affine(output).zero_point, low, high).astype(np.int8)
    entries = constants.add(f"{call.outputs[0].name}/table", table, DType.INT8)
    return (replace(call, op=Lookup(), inputs=(call.operands[0], entries)),)
