"""C types and literals."""

from __future__ import annotations

import math

import numpy as np

from aot.ir.types import Data, DType

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
        double = dtype is DType.FLOAT64
        with np.errstate(over="ignore"):
            text = repr(float(value)) if double else str(np.float32(value))
        return _float_literal(text, "" if double else "f")
    return _integer_literal(int(value), dtype)


def literals(data: Data) -> list[str]:
    """Every element of ``data`` as a constant expression; float16 as the integer of its bits.

    Tables and numpy do the work: constants run to megabytes.
    """
    dtype, array = data.dtype, data.array().reshape(-1)
    if dtype.is_float and dtype is not DType.FLOAT16:
        double = dtype is DType.FLOAT64
        suffix = "" if double else "f"
        texts = map(repr, array.tolist()) if double else map(str, array)
        if np.isfinite(array).all():
            return [text + suffix for text in texts]
        return [_float_literal(text, suffix) for text in texts]
    if dtype is DType.BOOL or dtype is DType.FLOAT16:
        array = array.view(np.uint8 if dtype is DType.BOOL else np.dtype("<u2"))
    if dtype.bytes == 1:
        table = [str(int(v)) for v in np.arange(256, dtype=np.uint8).view(array.dtype)]
        return [table[b] for b in data.raw]
    if dtype.bytes == 2:
        return list(map(str, array.tolist()))
    return [_integer_literal(v, dtype) for v in array.tolist()]


def _integer_literal(value: int, dtype: DType) -> str:
    """A negative C literal is an operator and a number, so the lowest value needs a detour."""
    if dtype is DType.UINT32:
        return f"{value}u"
    if dtype is DType.INT64:
        if value == -(1 << 63):
            return "(-INT64_C(9223372036854775807) - 1)"
        return f"-INT64_C({-value})" if value < 0 else f"INT64_C({value})"
    return "(-2147483647 - 1)" if value == -(1 << 31) else str(value)


def _float_literal(text: str, suffix: str) -> str:
    """The shortest decimal that reads back as the same number, which always has a `.` or an `e`;
    hexadecimal floats are not C++11, and <math.h> has the names of the special values."""
    value = float(text)
    if math.isnan(value):
        return f"(0.0{suffix} / 0.0{suffix})"
    if math.isinf(value):
        return f"({'-' if value < 0 else ''}1.0{suffix} / 0.0{suffix})"
    return text + suffix
