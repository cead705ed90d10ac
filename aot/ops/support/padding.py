"""SAME and VALID windows: output size and leading padding of one spatial axis."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from aot.ir.builder import BodyBuilder
from aot.ir.expr import BinaryOp, Expr, binary, imm, maximum, minimum
from aot.ir.types import DType


class Padding(Enum):
    """Padding of the schema, by its number there."""

    SAME = 0
    VALID = 1


@dataclass(frozen=True)
class Window:
    """A window that slides along one axis; every field counts elements.

    Tap ``k`` of output ``o`` reads input ``o * stride - before + k * dilation`` where that lies
    inside.
    """

    size: int
    taps: int
    stride: int
    dilation: int
    outputs: int
    before: int

    @property
    def inside(self) -> bool:
        """Whether every tap of every output lies inside the input."""
        last = (self.outputs - 1) * self.stride - self.before + (self.taps - 1) * self.dilation
        return self.before == 0 and last < self.size

    def origin(self, k: BodyBuilder, name: str, output: Expr) -> Expr:
        """The input position of tap 0, which may lie outside."""
        return k.let(name, output * self.stride - self.before)

    def taps_inside(self, k: BodyBuilder, name: str, origin: Expr) -> tuple[Expr, Expr]:
        """First tap inside the input and the one after the last, for a window at ``origin``."""
        if self.inside:
            return imm(0), imm(self.taps)
        d = self.dilation
        first = maximum(0, _quotient(imm(d - 1) - origin, d))
        stop = minimum(self.taps, _quotient(imm(self.size + d - 1) - origin, d))
        return k.let(f"{name}_start", first), k.let(f"{name}_stop", stop)


def _quotient(numerator: Expr, divisor: int) -> Expr:
    """Truncating division; the numerators above are negative only where the clamp hides them."""
    return binary(BinaryOp.DIV, numerator, imm(divisor, DType.INT32))


def window(size: int, taps: int, stride: int, dilation: int, padding: Padding) -> Window:
    """The window of TFLite's ComputePaddingHeightWidth: SAME puts the odd element last."""
    reach = (taps - 1) * dilation + 1
    if padding is Padding.SAME:
        outputs = -(-size // stride)
    else:
        outputs = max(0, -(-(size - reach + 1) // stride))
    total = max(0, (outputs - 1) * stride + reach - size)
    return Window(size, taps, stride, dilation, outputs, total // 2)


def spatial_windows(
    shape: tuple[int, ...],
    taps: tuple[int, ...],
    stride: tuple[int, int],
    dilation: tuple[int, int],
    padding: Padding,
) -> tuple[Window, Window]:
    """The windows over the rows and over the columns of an image [n, h, w, c]."""
    return (
        window(shape[1], taps[0], stride[0], dilation[0], padding),
        window(shape[2], taps[1], stride[1], dilation[1], padding),
    )
