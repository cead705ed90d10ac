"""Every operator against LiteRT's reference kernels over random parameters."""

from __future__ import annotations

import numpy as np
import pytest

from aot.ops.registry import tflite_operators
from tests.support.native import native_model
from tests.support.operators import BUILDERS
from tests.support.oracle import reference_outputs

CASES = [(code, dtype) for code, (_, dtypes) in BUILDERS.items() for dtype in dtypes]
SEEDS = 16


@pytest.mark.parametrize(("code", "dtype"), CASES)
def test_equals_the_reference(code, dtype, tmp_path):
    build, _ = BUILDERS[code]
    for seed in range(SEEDS):
        case = build(seed, dtype)
        expected = reference_outputs(case.model, case.inputs)
        folder = tmp_path / str(seed)
        got = native_model(case.model, folder).run(case.inputs)
        for ours, theirs in zip(got, expected, strict=True):
            assert ours.shape == theirs.shape
            if ours.dtype.kind == "f":
                np.testing.assert_allclose(
                    ours, theirs, rtol=1e-5, atol=1e-6, err_msg=f"seed {seed}"
                )
            else:
                np.testing.assert_array_equal(ours, theirs, err_msg=f"seed {seed}")


def test_no_operator_is_left_out():
    assert set(BUILDERS) == set(tflite_operators())
