"""MLPerf Tiny's closed division: ids of its models, and the form in which inputs arrive."""

from __future__ import annotations

import difflib
from enum import Enum

from aot.analysis.executor_metadata import ExecutorMetadata
from aot.errors import MicroaotError
from aot.ir.tir import ParamRole
from aot.ir.types import DType


class InputForm(Enum):
    """Bytes on the wire against stored values; the numbers of firmware/include/model.h."""

    AS_STORED = "INPUT_AS_STORED"
    UINT8_IMAGE = "INPUT_UINT8_IMAGE"
    FLOAT32 = "INPUT_FLOAT32"


class BenchmarkError(MicroaotError):
    """A benchmark that does not exist, or a model that cannot stand for it."""


# mlcommons/tiny, benchmark/runner/README.md and docs: keyword spectra are int8 as stored, pictures
# are uint8 and lose 128, sound is float32 and the result one number per window.
BENCHMARKS = {
    "ad01": InputForm.FLOAT32,
    "ic01": InputForm.UINT8_IMAGE,
    "kws01": InputForm.AS_STORED,
    "vww01": InputForm.UINT8_IMAGE,
}


def benchmark_form(name: str, metadata: ExecutorMetadata) -> InputForm:
    """The form of benchmark ``name``; BenchmarkError where the model's tensors do not fit it."""
    if name not in BENCHMARKS:
        close = difflib.get_close_matches(name, BENCHMARKS, n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        raise BenchmarkError(
            f"there is no benchmark {name}", remedy=f"{hint}known are {', '.join(BENCHMARKS)}"
        )
    form = BENCHMARKS[name]
    if len(metadata.inputs) != 1 or metadata.inputs[0].type.dtype is not DType.INT8:
        raise BenchmarkError(
            f"benchmark {name} takes one int8 tensor",
            where=f"model {metadata.module_name}",
            remedy="choose the benchmark's own model",
        )
    sizes = {t.type.elements for t in (*metadata.inputs, *metadata.outputs)}
    if form is InputForm.FLOAT32 and len(sizes) != 1:
        raise BenchmarkError(
            f"benchmark {name} compares its output with its input, of which the sizes differ",
            where=f"model {metadata.module_name}",
            remedy="choose the benchmark's own model",
        )
    if any(a.role is ParamRole.INPUT for a in metadata.io_allocations):
        raise BenchmarkError(
            f"benchmark {name} runs again on inputs that do not survive a run inside the pools",
            where=f"model {metadata.module_name}",
            remedy="leave inputs and outputs outside",
        )
    return form
