"""C types and literals."""

from __future__ import annotations

import math

import numpy as np

from aot.ir.types import DType

_C_TYPES = {
    DType.BOOL: "uint8_t",
    DType.FLOAT16: "uint16_t",
    DType.FLOAT32: "float",
    DType.FLOAT64: "double",
}


def c_type(dtype: DType) -> str:
    """The C type of an element of ``dtype`` in memory; float16 has only its bits."""
    return _C_TYPES.get(dtype, f"{dtype.value}_t")


def scalar_type(dtype: DType) -> str:
    """The C type of a scalar variable: a bool is the int that a comparison gives."""
    return "int" if dtype is DType.BOOL else c_type(dtype)


def literal(value: int | float, dtype: DType) -> str:
    """``value`` as a C99 and C++11 constant expression of ``dtype``."""
    if dtype.is_float:
        return _float_literal(float(value), dtype)
    number = int(value)
    if dtype is DType.INT64:
        return (
            "(-INT64_C(9223372036854775807) - 1)" if number == -(1 << 63) else f"INT64_C({number})"
        )
    if number == -(1 << 31):
        return "(-2147483647 - 1)"
    return f"{number}u" if dtype is DType.UINT32 else str(number)


def _float_literal(value: float, dtype: DType) -> str:
    suffix = "" if dtype is DType.FLOAT64 else "f"
    if math.isnan(value):
        return f"(0.0{suffix} / 0.0{suffix})"
    if math.isinf(value):
        sign = "-" if value < 0 else ""
        return f"({sign}1.0{suffix} / 0.0{suffix})"
    text = repr(value) if dtype is DType.FLOAT64 else str(np.float32(value))
    return f"{text}{suffix}" if "." in text or "e" in text else f"{text}.0{suffix}"
