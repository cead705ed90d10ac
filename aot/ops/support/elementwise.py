"""Element by element over operands that broadcast to one shape."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from aot.ir.expr import Expr, imm
from aot.ir.graph import Call
from aot.ir.op import TypeRuleError
from aot.ir.types import TensorType
from aot.ops.base import KernelOp
from aot.ops.kernel import KernelBuilder


def broadcast(shapes: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """The shape that ``shapes`` broadcast to, by numpy's rule; TypeRuleError where they do not."""
    try:
        return tuple(int(n) for n in np.broadcast_shapes(*shapes))
    except ValueError:
        listed = " and ".join(map(str, shapes))
        raise TypeRuleError(f"shapes {listed} do not broadcast") from None


@dataclass(frozen=True)
class Elementwise(KernelOp):
    """The result has the first operand's dtype and the shape that all operands broadcast to."""

    def infer(self, inputs: tuple[TensorType | None, ...]) -> tuple[TensorType, ...]:
        present = [t for t in inputs if t is not None]
        return (TensorType(broadcast(tuple(t.shape for t in present)), present[0].dtype),)

    def nest(self, call: Call, k: KernelBuilder, element: Callable[..., Expr]) -> None:
        """Loops that store ``element`` of the operands' loaded elements at every position.

        Axes over which all operands step alike are merged, so equal shapes take one loop.
        """
        shape = call.outputs[0].type.shape
        axes = _merge(shape, tuple(_strides(v.type.shape, shape) for v in call.operands))

        def nest(depth: int, output: Expr, sources: tuple[Expr, ...]) -> None:
            if depth == len(axes):
                loaded = [k.load(b, s) for b, s in zip(k.inputs, sources, strict=True)]
                k.store(k.output(), output, element(*loaded))
                return
            size, strides = axes[depth]
            inner = math.prod(n for n, _ in axes[depth + 1 :])
            with k.loop("i", 0, size) as i:
                nest(
                    depth + 1,
                    output + i * inner,
                    tuple(s + i * stride for s, stride in zip(sources, strides, strict=True)),
                )

        nest(0, imm(0), (imm(0),) * len(call.operands))


def _strides(shape: tuple[int, ...], target: tuple[int, ...]) -> tuple[int, ...]:
    """Elements from one index of each target axis to the next; 0 along broadcast axes."""
    padded = (1,) * (len(target) - len(shape)) + shape
    return tuple(0 if n == 1 else math.prod(padded[axis + 1 :]) for axis, n in enumerate(padded))


def _merge(
    shape: tuple[int, ...], strides: tuple[tuple[int, ...], ...]
) -> list[tuple[int, tuple[int, ...]]]:
    """(size, stride of every operand) per loop, outermost first."""
    merged: list[tuple[int, tuple[int, ...]]] = []
    for size, *steps in zip(shape, *strides, strict=True):
        if size == 1:
            continue
        step = tuple(steps)
        if merged and merged[-1][1] == tuple(s * size for s in step):
            merged[-1] = (merged[-1][0] * size, step)
        else:
            merged.append((size, step))
    return merged
