"""Element types, quantization parameters and tensor types."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt


class DType(Enum):
    """An element type, spelled as TFLite's tools spell it."""

    BOOL = "bool"
    INT8 = "int8"
    UINT8 = "uint8"
    INT16 = "int16"
    UINT16 = "uint16"
    INT32 = "int32"
    UINT32 = "uint32"
    INT64 = "int64"
    FLOAT16 = "float16"
    FLOAT32 = "float32"
    FLOAT64 = "float64"

    @property
    def numpy(self) -> np.dtype[np.generic]:
        """The little-endian numpy dtype that holds one element."""
        dtype: np.dtype[np.generic] = np.dtype(self.value).newbyteorder("<")
        return dtype

    @property
    def bytes(self) -> int:
        """Bytes of one element in memory."""
        return self.numpy.itemsize

    @property
    def is_integer(self) -> bool:
        return self.value.startswith(("int", "uint"))

    @property
    def is_float(self) -> bool:
        return self.value.startswith("float")

    @property
    def bounds(self) -> tuple[int, int]:
        """Lowest and highest value of an integer type."""
        info = np.iinfo(self.value)
        return int(info.min), int(info.max)


@dataclass(frozen=True)
class Quantization:
    """Affine quantization: real = scale * (stored - zero_point).

    One scale and zero point for the whole tensor, or one of each per slice along ``axis``.
    """

    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    axis: int = 0

    @property
    def per_channel(self) -> bool:
        return len(self.scales) > 1

    @property
    def scale(self) -> float:
        return self.scales[0]

    @property
    def zero_point(self) -> int:
        return self.zero_points[0]


@dataclass(frozen=True)
class TensorType:
    """Shape, element type and, for quantized tensors, how stored values map to real ones."""

    shape: tuple[int, ...]
    dtype: DType
    quantization: Quantization | None = None

    @property
    def elements(self) -> int:
        return math.prod(self.shape)

    @property
    def bytes(self) -> int:
        return self.elements * self.dtype.bytes

    @property
    def rank(self) -> int:
        return len(self.shape)

    def plain(self) -> TensorType:
        """The same shape and element type without quantization."""
        return TensorType(self.shape, self.dtype)


@dataclass(frozen=True)
class Data:
    """The little-endian bytes of a constant tensor, in C order."""

    shape: tuple[int, ...]
    dtype: DType
    raw: bytes

    @staticmethod
    def of(array: npt.ArrayLike, dtype: DType) -> Data:
        """Pack ``array`` (any shape) as elements of ``dtype``."""
        packed = np.ascontiguousarray(np.asarray(array), dtype=dtype.numpy)
        return Data(np.shape(array), dtype, packed.tobytes())

    def array(self) -> npt.NDArray[np.generic]:
        """A read-only numpy view with this shape."""
        return np.frombuffer(self.raw, dtype=self.dtype.numpy).reshape(self.shape)

    @property
    def type(self) -> TensorType:
        return TensorType(self.shape, self.dtype)
