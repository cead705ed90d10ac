"""The kernel that moves bytes: what no-op operators and copied results lower to."""

from __future__ import annotations

from aot.ir.builder import BodyBuilder
from aot.ir.expr import Buffer, Load
from aot.ir.target import Target
from aot.ir.tir import OperatorInfo, Param, ParamRole, PrimFunc
from aot.ir.types import TensorType


def copy_elements(k: BodyBuilder, source: Buffer, target: Buffer) -> None:
    """Emits a loop that copies every element of ``source`` to ``target``."""
    with k.loop("i", 0, source.type.elements) as i:
        k.store(target, i, Load(source, i))


def copy_function(name: str, type_: TensorType, target: Target, origin: str) -> PrimFunc:
    """A function that copies a tensor of ``type_`` from its INPUT to its OUTPUT."""
    flat = type_.plain()
    source, copy = Buffer("input", flat), Buffer("output", flat)
    k = BodyBuilder()
    copy_elements(k, source, copy)
    params = (
        Param("input", ParamRole.INPUT, source),
        Param("output", ParamRole.OUTPUT, copy),
    )
    info = OperatorInfo("COPY", origin, "copy", copies=True)
    return PrimFunc(name, params, k.body(), target, info=info)
