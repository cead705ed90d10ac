"""Expressions of the intrinsics that kernels use; every target defines them."""

from __future__ import annotations

from aot.ir.expr import Expr, Intrinsic, Scalar, clamp, imm
from aot.ir.types import DType


def _int32(value: Scalar) -> Expr:
    return value if isinstance(value, Expr) else imm(value)


def requantize(value: Expr, multiplier: Scalar, shift: Scalar) -> Expr:
    """int32 ``value`` * multiplier / 2**31 * 2**shift, rounded twice: the high multiply rounds
    to nearest, then the right shift rounds halves away from zero."""
    return Intrinsic("requantize", (_int32(value), _int32(multiplier), _int32(shift)), DType.INT32)


def requantize_once(value: Expr, multiplier: Scalar, shift: Scalar) -> Expr:
    """The same product, rounded once to nearest with halves up."""
    return Intrinsic(
        "requantize_once", (_int32(value), _int32(multiplier), _int32(shift)), DType.INT32
    )


def saturate(value: Expr, bounds: tuple[int, int], dtype: DType) -> Expr:
    """int32 ``value`` clamped to ``bounds`` and stored as ``dtype``."""
    return clamp(value, *bounds).cast(dtype)
