"""Literals: text, and shortest decimals."""

from __future__ import annotations

import numpy as np
import pytest

from aot.codegen.c_types import c_type, literal, literals, scalar_type
from aot.ir.types import Data, DType


@pytest.mark.parametrize(
    ("value", "dtype", "text"),
    [
        (-128, DType.INT8, "-128"),
        (1, DType.BOOL, "1"),
        ((1 << 31) - 1, DType.INT32, "2147483647"),
        (-(1 << 31), DType.INT32, "(-2147483647 - 1)"),
        ((1 << 32) - 1, DType.UINT32, "4294967295u"),
        (7, DType.INT64, "INT64_C(7)"),
        (-7, DType.INT64, "-INT64_C(7)"),
        (-(1 << 63), DType.INT64, "(-INT64_C(9223372036854775807) - 1)"),
        (1.0, DType.FLOAT32, "1.0f"),
        (0.1, DType.FLOAT32, "0.1f"),
        (0.1, DType.FLOAT64, "0.1"),
        (-0.0, DType.FLOAT32, "-0.0f"),
        (1e-45, DType.FLOAT32, "1e-45f"),
        (1e20, DType.FLOAT32, "1e+20f"),
        (1e40, DType.FLOAT32, "(1.0f / 0.0f)"),
        (float("-inf"), DType.FLOAT64, "(-1.0 / 0.0)"),
        (float("nan"), DType.FLOAT32, "(0.0f / 0.0f)"),
    ],
)
def test_literal(value: float, dtype: DType, text: str):
    assert literal(value, dtype) == text


def test_float32_literals_read_back_and_are_short():
    bits = np.random.default_rng(0).integers(0, 1 << 32, 5000, dtype=np.uint32)
    values = bits.view(np.float32)
    values = values[np.isfinite(values)]
    for value, text in zip(values, literals(Data.of(values, DType.FLOAT32)), strict=True):
        number = text.removesuffix("f")
        assert np.float32(number) == value
        digits = number.split("e")[0].lstrip("-").replace(".", "").strip("0")
        shorter = f"{value:.{max(len(digits) - 2, 0)}e}"
        assert len(digits) == 1 or np.float32(shorter) != value


@pytest.mark.parametrize("dtype", [d for d in DType if d is not DType.FLOAT16])
def test_arrays_and_scalars_are_spelt_alike(dtype: DType):
    values = [0, 1] if dtype is DType.BOOL else [0, 1, 100]
    if dtype.is_float:
        values = [0.0, -0.0, 0.3, float("inf"), 1e-42]
    elif dtype is not DType.BOOL:
        values += list(dtype.bounds)
    data = Data.of(np.array(values, dtype.numpy), dtype)
    assert literals(data) == [literal(v, dtype) for v in values]


def test_float16_is_stored_by_its_bits():
    assert literals(Data.of([1.0, -2.0], DType.FLOAT16)) == [str(0x3C00), str(0xC000)]
    assert c_type(DType.FLOAT16) == "uint16_t"


def test_bool_is_a_byte_in_memory_and_an_int_in_a_variable():
    assert (c_type(DType.BOOL), scalar_type(DType.BOOL)) == ("uint8_t", "int")
