"""EXPAND_DIMS: inserts a dimension of size 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from aot.ir.types import DType
from aot.ops.node import Constraint, Node, Signature
from aot.ops.support import view
from aot.ops.support.constraints import constant
from aot.ops.support.view import View


def axis_fits(node: Node) -> bool:
    """the axis must be one integer within the output's dimensions, where the output has size 1"""
    axes, shape = node.listed(1), node.operand(0).type.shape
    if axes is None:
        return True
    if len(axes) != 1 or not -len(shape) - 1 <= axes[0] <= len(shape):
        return False
    axis = axes[0] % (len(shape) + 1)
    return node.outputs[0].type.shape == (*shape[:axis], 1, *shape[axis:])


@dataclass(frozen=True)
class ExpandDims(View):
    """The operator of the schema."""

    name: ClassVar[str] = "expand_dims"
    code: ClassVar[str] = "EXPAND_DIMS"
    versions: ClassVar[tuple[int, int]] = (1, 1)
    signatures: ClassVar[tuple[Signature, ...]] = (
        *view.signatures(DType.INT32),
        *view.signatures(DType.INT64),
    )
    constraints: ClassVar[tuple[Constraint, ...]] = (
        *view.CONSTRAINTS,
        constant(1, "axis"),
        axis_fits,
    )
