"""Test vectors: .npz files with the inputs and outputs of one or more runs."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from aot.errors import MicroaotError
from aot.hil.interface import TensorSpec
from aot.hil.replacing import replacing

RELATIVE, ABSOLUTE = 1e-5, 1e-6
"""Tolerance of floating-point outputs; integers must be equal."""

Tensors = tuple[npt.NDArray[Any], ...]


class VectorsError(MicroaotError):
    """A file of vectors that does not fit the model."""


@dataclass(frozen=True)
class Vectors:
    """``runs`` holds the tensors of each run; ``several`` where the file's arrays had one
    leading dimension more than the model's."""

    runs: tuple[Tensors, ...]
    several: bool


def read_vectors(path: Path, prefix: str, specs: Sequence[TensorSpec]) -> Vectors:
    """The arrays ``<prefix>0``, ``<prefix>1``, ... of ``path``, in the model's order.

    Other keys are ignored. Raises VectorsError where an array is missing or does not fit.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = [_array(file, f"{prefix}{i}", path, s) for i, s in enumerate(specs)]
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise VectorsError(
            f"cannot be read as .npz ({error})", where=str(path), remedy="write it with numpy.savez"
        ) from error
    several = any(a.ndim == len(s.shape) + 1 for a, s in zip(arrays, specs, strict=True))
    if not several:
        return Vectors((tuple(arrays),), several=False)
    counts = {len(a) for a in arrays}
    if len(counts) != 1 or any(
        a.ndim != len(s.shape) + 1 for a, s in zip(arrays, specs, strict=True)
    ):
        raise VectorsError(
            "arrays hold different numbers of runs",
            where=str(path),
            remedy="give every array the same leading dimension",
        )
    return Vectors(tuple(zip(*arrays, strict=True)), several=True)


def _array(file: Any, key: str, path: Path, spec: TensorSpec) -> npt.NDArray[Any]:
    if key not in file:
        raise VectorsError(
            f"has no array `{key}`",
            where=str(path),
            remedy=f"it holds {', '.join(sorted(file)) or 'nothing'}",
        )
    array: npt.NDArray[Any] = file[key]
    if array.shape not in (spec.shape, (*array.shape[:1], *spec.shape)):
        raise VectorsError(
            f"array `{key}` is {list(array.shape)} where tensor `{spec.name}` is "
            f"{list(spec.shape)}",
            where=str(path),
            remedy="several runs take one leading dimension more",
        )
    if array.dtype != spec.numpy and not _same_values(array, spec):
        raise VectorsError(
            f"array `{key}` holds {array.dtype} values that {spec.dtype} cannot",
            where=str(path),
            remedy=f"store it as {spec.dtype}",
        )
    return np.ascontiguousarray(array, dtype=spec.numpy)


def _same_values(array: npt.NDArray[Any], spec: TensorSpec) -> bool:
    """Whether every value survives the conversion to the tensor's type."""
    if array.dtype.kind not in "biuf":
        return False
    with np.errstate(all="ignore"):
        converted = array.astype(spec.numpy)
    return bool(np.array_equal(converted.astype(array.dtype), array, equal_nan=True))


def write_vectors(path: Path, prefix: str, runs: Sequence[Tensors], several: bool) -> None:
    """Writes the tensors of ``runs`` as ``<prefix>0``, ...; the file appears whole or not."""
    columns = list(zip(*runs, strict=True))
    arrays = {
        f"{prefix}{i}": np.stack(column) if several else column[0]
        for i, column in enumerate(columns)
    }
    with replacing(path, VectorsError) as out:
        np.savez(out, allow_pickle=False, **arrays)


def differences(
    got: Sequence[Tensors], expected: Sequence[Tensors], specs: Sequence[TensorSpec]
) -> Iterator[str]:
    """One line per run and output that differ: the first element that does, and how."""
    for run, (ours, theirs) in enumerate(zip(got, expected, strict=True)):
        for i, (a, b, spec) in enumerate(zip(ours, theirs, specs, strict=True)):
            wrong = _differing(a, b)
            if not wrong.any():
                continue
            place = tuple(int(n) for n in np.argwhere(wrong)[0])
            index = ", ".join(map(str, place))
            yield (
                f"run {run}, out{i} (`{spec.name}`): {int(wrong.sum())} of {wrong.size} elements "
                f"differ, first [{index}]: got {a[place]}, expected {b[place]}"
            )


def _differing(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if a.dtype.kind != "f":
        return np.asarray(a != b)
    close = np.isclose(a, b, rtol=RELATIVE, atol=ABSOLUTE, equal_nan=True)
    return np.asarray(~close)
