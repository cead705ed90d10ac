"""SQUEEZE: drops dimensions of size 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from aot.ops.node import Constraint, Node, Signature
from aot.ops.support import view
from aot.ops.support.view import View


def squeezed_axes(node: Node) -> bool:
    """the axes to drop must exist and have size 1, and the output must be what remains"""
    shape = node.operand(0).type.shape
    options = node.options
    listed = [options.SqueezeDims(i) for i in range(options.SqueezeDimsLength())]
    if any(not -len(shape) <= axis < len(shape) for axis in listed):
        return False
    axes = (
        {axis % len(shape) for axis in listed}
        if listed
        else {axis for axis, n in enumerate(shape) if n == 1}
    )
    remaining = tuple(n for axis, n in enumerate(shape) if axis not in axes)
    return all(shape[a] == 1 for a in axes) and node.outputs[0].type.shape == remaining


@dataclass(frozen=True)
class Squeeze(View):
    """The operator of the schema."""

    name: ClassVar[str] = "squeeze"
    code: ClassVar[str] = "SQUEEZE"
    versions: ClassVar[tuple[int, int]] = (1, 2)
    options_type: ClassVar[str] = "SqueezeOptions"
    signatures: ClassVar[tuple[Signature, ...]] = view.signatures()
    constraints: ClassVar[tuple[Constraint, ...]] = (*view.CONSTRAINTS, squeezed_axes)
