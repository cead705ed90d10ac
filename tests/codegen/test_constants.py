"""Global names of constants."""

from __future__ import annotations

from aot.codegen.constants import constant_arrays, constant_symbols
from aot.ir.pools import BufferKey
from tests.codegen.modules import adder, scaler


def test_symbols_stay_apart_across_functions():
    # The kernel's `curve` and main's `scale_0_curve` both ask for the same name.
    assert constant_symbols(scaler()) == {
        BufferKey("scale_0", "curve"): "scaler_const_scale_0_curve",
        BufferKey("main", "scale_0_curve"): "scaler_const_scale_0_curve_2",
        BufferKey("main", "gains"): "scaler_const_gains",
    }


def test_alignment_and_section_come_from_the_declaration_and_its_pool():
    (bias,) = constant_arrays(adder())
    assert (bias.alignment, bias.section) == (4, "")
    gains = constant_arrays(scaler())[-1]
    assert (gains.alignment, gains.section) == (4, "")
