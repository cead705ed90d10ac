"""Writes a small data set for MLPerf Tiny's public runner from a model and vectors for it.

The labels are what LiteRT's reference kernels answer, so that the runner's accuracy says whether
the firmware agrees with them: 100 % where it does, whatever the model is worth.

    python tools/mlperf_samples.py ic01 net.tflite net.npz datasets
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from ai_edge_litert.interpreter import (  # type: ignore[import-untyped]
    Interpreter,
    OpResolverType,
)

from aot.codegen.benchmark import BENCHMARKS, InputForm
from aot.errors import MicroaotError
from aot.hil.interface import TensorSpec
from aot.hil.vectors import read_vectors

Array = npt.NDArray[Any]
_SEED = 1
_CLIMBS, _TRIES = 40, 1000


class SampleError(MicroaotError):
    """A model or vectors of which no data set can be made."""


@dataclass(frozen=True)
class Sample:
    """A file of the data set: the bytes that the runner sends, and the class they belong to."""

    content: bytes
    label: int


class Reference:
    """The model under LiteRT's reference kernels. Raises SampleError where they cannot run it."""

    def __init__(self, model: Path) -> None:
        try:
            self._interpreter = Interpreter(
                model_content=model.read_bytes(),
                experimental_op_resolver_type=OpResolverType.BUILTIN_REF,
            )
            self._interpreter.allocate_tensors()
        except (ValueError, RuntimeError) as error:
            raise SampleError(f"LiteRT cannot run it ({error})", where=str(model)) from error
        self._input = self._interpreter.get_input_details()[0]
        self._output = self._interpreter.get_output_details()[0]
        if self._input["dtype"] is not np.int8:
            raise SampleError(
                f"the input is {np.dtype(self._input['dtype'])}, not int8",
                where=str(model),
                remedy="choose the benchmark's int8 model",
            )

    @property
    def shape(self) -> tuple[int, ...]:
        """The input's."""
        return tuple(int(d) for d in self._input["shape"])

    def output(self, stored: Array) -> Array:
        """The first output for an input, both as stored and the output flat."""
        self._interpreter.set_tensor(self._input["index"], stored)
        self._interpreter.invoke()
        stored_output: Array = self._interpreter.get_tensor(self._output["index"])
        return stored_output.reshape(-1).astype(np.int32)

    def window(self, stored: Array) -> Array:
        """An input as real numbers."""
        return _real(stored.reshape(-1), self._input)

    def error(self, stored: Array) -> float:
        """The mean square of what the output misses of the input."""
        real, window = _real(self.output(stored), self._output), self.window(stored)
        if real.size != window.size:
            raise SampleError(
                f"{real.size} outputs cannot restore {window.size} inputs",
                remedy="choose the benchmark's int8 model",
            )
        missed = real - window
        return float(np.mean(missed.astype(np.float64) ** 2))


def _real(stored: Array, detail: dict[str, Any]) -> Array:
    scale, zero_point = detail["quantization"]
    real: Array = (stored.astype(np.int32) - zero_point) * np.float32(scale)
    return real.astype("<f4")


def _margin(output: Array, label: int) -> int:
    """By how much ``label`` leads, negative where another class does."""
    return int(output[label] - np.delete(output, label).max())


def _patched(stored: Array, random: np.random.Generator) -> Array:
    """``stored`` with one rectangle of one value per channel."""
    changed: Array = stored.copy()
    where = [slice(None)]
    for extent in stored.shape[1:3]:
        length = int(random.integers(1, extent + 1))
        start = int(random.integers(extent - length + 1))
        where.append(slice(start, start + length))
    changed[tuple(where)] = random.integers(-128, 128, stored.shape[3:])
    return changed


def _climb(
    output: Callable[[Array], Array],
    starts: Sequence[Array],
    label: int,
    random: np.random.Generator,
) -> Array:
    """An input of class ``label``, close to where it becomes so, from one of ``starts``."""
    for start in islice(cycle(starts), _CLIMBS):
        best, margin = start, _margin(output(start), label)
        for _ in range(_TRIES):
            candidate = _patched(best, random)
            found = _margin(output(candidate), label)
            if found > 0:
                return candidate
            if found >= margin:
                best, margin = candidate, found
    raise SampleError(
        f"no input of class {label} was found in {_CLIMBS * _TRIES} tries",
        remedy="add one to the vectors",
    )


def classified(
    reference: Reference, form: InputForm, inputs: Sequence[Array], per_class: int
) -> list[Sample]:
    """``inputs``, and synthetic ones until each class has ``per_class``.

    Raises SampleError where a class does not turn up.
    """
    random = np.random.default_rng(_SEED)
    outputs = [reference.output(stored) for stored in inputs]
    chosen = [(stored, int(out.argmax())) for stored, out in zip(inputs, outputs, strict=True)]
    for label in range(outputs[0].size):
        near = sorted(range(len(inputs)), key=lambda i: -_margin(outputs[i], label))
        starts = [inputs[i] for i in near]
        for _ in range(per_class - sum(found == label for _, found in chosen)):
            chosen.append((_climb(reference.output, starts, label, random), label))
    offset = 128 if form is InputForm.UINT8_IMAGE else 0
    return [
        Sample((stored.astype(np.int16) + offset).astype(np.uint8).tobytes(), label)
        for stored, label in chosen
    ]


def windows(reference: Reference, inputs: Sequence[Array]) -> list[Sample]:
    """``inputs`` as real numbers; anomalies are those of which the reference misses more.

    Raises SampleError where it misses equally much of all.
    """
    errors = [reference.error(stored) for stored in inputs]
    if max(errors) == np.median(errors):
        raise SampleError("no input is more anomalous than others", remedy="add some vectors")
    return [
        Sample(reference.window(stored).tobytes(), int(error > np.median(errors)))
        for stored, error in zip(inputs, errors, strict=True)
    ]


def write(folder: Path, benchmark: str, samples: Sequence[Sample], classes: int) -> None:
    """Files and y_labels.csv as the runner reads them, in a folder of the benchmark's name."""
    target = folder / benchmark
    target.mkdir(parents=True, exist_ok=True)
    rows = []
    for number, sample in enumerate(samples):
        name = f"{number:03d}_class_{sample.label}.bin"
        (target / name).write_bytes(sample.content)
        row = f"{name},{classes},{sample.label}"
        if BENCHMARKS[benchmark] is InputForm.FLOAT32:
            # One window a file: its bytes, and the stride to the next.
            row += f",{len(sample.content)},{len(sample.content)}"
        rows.append(row + "\n")
    (target / "y_labels.csv").write_text("".join(rows))


def data_set(benchmark: str, model: Path, vectors: Path, folder: Path, per_class: int) -> int:
    """Writes the data set and returns its size. Raises SampleError, VectorsError or OSError."""
    reference = Reference(model)
    runs = read_vectors(vectors, "in", [TensorSpec("input", "int8", reference.shape)]).runs
    inputs = [stored for (stored,) in runs]
    form = BENCHMARKS[benchmark]
    if form is InputForm.FLOAT32:
        samples, classes = windows(reference, inputs), 2
    else:
        samples = classified(reference, form, inputs, per_class)
        classes = reference.output(inputs[0]).size
    write(folder, benchmark, samples, classes)
    return len(samples)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Writes a data set for MLPerf Tiny's runner.")
    parser.add_argument("benchmark", choices=sorted(BENCHMARKS))
    parser.add_argument("model", type=Path, help=".tflite file")
    parser.add_argument("vectors", type=Path, help=".npz file with inputs in `in0`")
    parser.add_argument("folder", type=Path, help="the runner's --dataset_path")
    parser.add_argument("--per-class", type=int, default=2, help="samples of each class at least")
    given = parser.parse_args()
    try:
        size = data_set(given.benchmark, given.model, given.vectors, given.folder, given.per_class)
    except (MicroaotError, OSError) as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    print(f"{size} samples in {given.folder / given.benchmark}")


if __name__ == "__main__":
    main()
