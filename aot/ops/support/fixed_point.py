"""Fixed-point arithmetic of the reference kernels on Python ints, for tables made in the compiler.

A raw value with i integer bits stands for raw / 2**(31 - i). The functions follow the
definitions of gemmlowp's fixedpoint.h: every product is rounded to nearest with halves up.
"""

from __future__ import annotations

_MAX = (1 << 31) - 1


def high_multiply(a: int, b: int) -> int:
    """a * b / 2**31, rounded to nearest with halves up, saturating."""
    return min((a * b + (1 << 30)) >> 31, _MAX)


def rounding_shift_right(value: int, shift: int) -> int:
    """value / 2**shift, rounded to nearest with halves away from zero."""
    if shift == 0:
        return value
    half = 1 << (shift - 1)
    return (value + half) >> shift if value >= 0 else -((-value + half) >> shift)


def _raw(real: float) -> int:
    """``real`` in [-1, 1) with no integer bits."""
    return min(round(real * (1 << 31)), _MAX)


# exp(-2**k) for k = -2 .. 4, no integer bits
_EXP_OF_BIT = {k: _raw(2.718281828459045 ** -(2.0**k)) for k in range(-2, 5)}


def _exp_quarter(a: int) -> int:
    """exp of ``a`` in [-1/4, 0), no integer bits: Taylor around -1/8 to the fourth power."""
    exp_eighth, third = 1895147668, 715827883
    x = a + (1 << 28)
    x2 = high_multiply(x, x)
    x3, x4 = high_multiply(x2, x), high_multiply(x2, x2)
    quarter_x4 = rounding_shift_right(x4, 2)
    rest = rounding_shift_right(high_multiply(quarter_x4 + x3, third) + x2, 1)
    return exp_eighth + high_multiply(exp_eighth, x + rest)


def exp_negative(a: int, integer_bits: int) -> int:
    """exp of ``a`` <= 0 with ``integer_bits``; the result has none."""
    fraction_bits = 31 - integer_bits
    quarter = 1 << (fraction_bits - 2)
    inside = (a & (quarter - 1)) - quarter
    result = _exp_quarter(inside << integer_bits)
    remainder = inside - a
    for k, factor in _EXP_OF_BIT.items():
        if integer_bits > k and remainder & (1 << (fraction_bits + k)):
            result = high_multiply(result, factor)
    if integer_bits > 5 and a < -(1 << (36 - integer_bits)):
        result = 0
    return _MAX if a == 0 else result
