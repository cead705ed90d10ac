"""RESHAPE: the same elements in another shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from aot.ir.types import DType
from aot.ops.node import Constraint, Node, Signature
from aot.ops.support import view
from aot.ops.support.constraints import constant
from aot.ops.support.view import View


def shape_agrees(node: Node) -> bool:
    """the shape asked for must be the output's, with at most one -1"""
    if node.input(1) is not None:
        wanted = node.listed(1)
    elif not node.options.NewShapeIsNone():
        wanted = tuple(node.options.NewShape(i) for i in range(node.options.NewShapeLength()))
    else:
        return True
    if wanted is None:
        return True
    actual = node.outputs[0].type.shape
    return wanted.count(-1) <= 1 and (
        len(wanted) == len(actual)
        and all(w in (-1, n) for w, n in zip(wanted, actual, strict=True))
    )


@dataclass(frozen=True)
class Reshape(View):
    """The operator of the schema."""

    name: ClassVar[str] = "reshape"
    code: ClassVar[str] = "RESHAPE"
    versions: ClassVar[tuple[int, int]] = (1, 1)
    options_type: ClassVar[str] = "ReshapeOptions"
    signatures: ClassVar[tuple[Signature, ...]] = view.signatures(DType.INT32, optional=1)
    constraints: ClassVar[tuple[Constraint, ...]] = (
        *view.CONSTRAINTS,
        constant(1, "shape"),
        shape_agrees,
    )
