"""LiteRT's reference kernels: the oracle of every numeric test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest


def reference_outputs(model: bytes, inputs: Sequence[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
    """The outputs of ``model`` under the reference resolver, without delegates."""
    litert = pytest.importorskip("ai_edge_litert.interpreter", reason="needs ai-edge-litert")
    interpreter = litert.Interpreter(
        model_content=model,
        experimental_op_resolver_type=litert.OpResolverType.BUILTIN_REF,
    )
    interpreter.allocate_tensors()
    for detail, array in zip(interpreter.get_input_details(), inputs, strict=True):
        interpreter.set_tensor(detail["index"], array)
    interpreter.invoke()
    return [np.array(interpreter.get_tensor(d["index"])) for d in interpreter.get_output_details()]
