"""The interface of a compiled model as its metadata file states it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from aot.errors import MicroaotError


class MetadataError(MicroaotError):
    """A metadata file that is missing or was not written by this version."""


@dataclass(frozen=True)
class TensorSpec:
    """An interface tensor: identifier, element type and shape."""

    name: str
    dtype: str
    shape: tuple[int, ...]

    @property
    def numpy(self) -> np.dtype[Any]:
        """The little-endian dtype of its bytes."""
        dtype: np.dtype[Any] = np.dtype(self.dtype).newbyteorder("<")
        return dtype

    def array(self, raw: bytes) -> npt.NDArray[Any]:
        """The tensor in ``raw``."""
        return np.frombuffer(raw, dtype=self.numpy).reshape(self.shape)


@dataclass(frozen=True)
class ModelInterface:
    """Name and tensors of a model, in the model's order."""

    name: str
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]


def read_interface(path: Path) -> ModelInterface:
    """The interface in a <model>.json file. Raises MetadataError."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return ModelInterface(
            content["model"],
            tuple(_spec(t) for t in content["inputs"]),
            tuple(_spec(t) for t in content["outputs"]),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise MetadataError(
            f"is no metadata of a model ({error})", where=str(path), remedy="compile it again"
        ) from error


def _spec(entry: dict[str, Any]) -> TensorSpec:
    return TensorSpec(entry["name"], entry["dtype"], tuple(entry["shape"]))
