"""Reads tensors: shape, element type, quantization, contents."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import tflite

from aot.frontend.errors import MalformedModelError
from aot.frontend.flatbuffer import Flatbuffer, text
from aot.ir.types import Data, DType, Quantization, TensorType
from aot.ops.node import Tensor

_MAX_BYTES = (1 << 31) - 1

_DTYPES = {
    getattr(tflite.TensorType, name): dtype
    for name, dtype in {
        "BOOL": DType.BOOL,
        "INT8": DType.INT8,
        "UINT8": DType.UINT8,
        "INT16": DType.INT16,
        "UINT16": DType.UINT16,
        "INT32": DType.INT32,
        "UINT32": DType.UINT32,
        "INT64": DType.INT64,
        "FLOAT16": DType.FLOAT16,
        "FLOAT32": DType.FLOAT32,
        "FLOAT64": DType.FLOAT64,
    }.items()
}
_TYPE_NAMES = {
    value: name for name, value in vars(tflite.TensorType).items() if isinstance(value, int)
}


@dataclass
class TensorReader:
    """Reads each tensor of a subgraph once, when something refers to it.

    ``problems`` collects what is sound but not supported; such a tensor reads as None.
    """

    flatbuffer: Flatbuffer
    model: Any
    tables: tuple[Any, ...]
    problems: list[str] = field(default_factory=list)
    _read: dict[int, Tensor | None] = field(default_factory=dict)
    _buffers: dict[int, bytes] = field(default_factory=dict)

    def tensor(self, index: int, where: str) -> Tensor | None:
        """Tensor ``index``, referred to from ``where``; None where it is not supported."""
        if not 0 <= index < len(self.tables):
            raise MalformedModelError(
                f"refers to tensor {index} of {len(self.tables)}", where=where
            )
        if index not in self._read:
            self._read[index] = self._tensor(index)
        return self._read[index]

    def name(self, index: int) -> str:
        """The tensor's name in the file, or one made from its number."""
        return text(self.tables[index].Name()) or f"tensor_{index}"

    def is_constant(self, index: int) -> bool:
        """Whether the file holds the tensor's contents."""
        return bool(self._bytes(self.tables[index].Buffer(), self.name(index)))

    def _tensor(self, index: int) -> Tensor | None:
        table, name = self.tables[index], self.name(index)
        where = f"tensor `{name}`"
        shape = tuple(
            int(n) for n in self.flatbuffer.vector(table.ShapeLength(), table.Shape, where)
        )
        if any(n < 0 for n in shape):
            raise MalformedModelError(f"has a negative dimension in {shape}", where=where)
        dtype = _DTYPES.get(table.Type())
        problem = None
        if dtype is None:
            problem = f"element type {_TYPE_NAMES.get(table.Type(), table.Type())}"
        elif table.Sparsity() is not None:
            problem = "sparse storage"
        elif table.IsVariable():
            problem = "state kept between runs (a variable tensor)"
        if problem is not None or dtype is None:
            self.problems.append(f"{where}: {problem}")
            return None
        if math.prod(shape) * dtype.bytes > _MAX_BYTES:
            raise MalformedModelError(f"shape {shape} takes more than 2 GiB", where=where)
        quantization = self._quantization(table.Quantization(), shape, dtype, where)
        raw = self._bytes(table.Buffer(), where)
        data = None
        expected = math.prod(shape) * dtype.bytes
        if raw or expected == 0:
            if len(raw) != expected:
                raise MalformedModelError(
                    f"has {len(raw)} bytes of contents where its shape {shape} takes {expected}",
                    where=where,
                )
            data = Data(shape, dtype, raw)
        return Tensor(name, TensorType(shape, dtype, quantization), data)

    def _bytes(self, index: int, where: str) -> bytes:
        """Contents of buffer ``index``; empty where the file has none."""
        if index not in self._buffers:
            if not 0 <= index < self.model.BuffersLength():
                raise MalformedModelError(f"refers to buffer {index}", where=where)
            buffer = self.model.Buffers(index)
            if buffer.Offset() > 1:
                raw = self.flatbuffer.bytes(buffer.Offset(), buffer.Size(), where)
            elif buffer.DataIsNone():
                raw = b""
            else:
                if not 0 <= buffer.DataLength() <= len(self.flatbuffer.raw):
                    raise MalformedModelError("contents lie outside the file", where=where)
                raw = buffer.DataAsNumpy().tobytes()
            self._buffers[index] = raw
        return self._buffers[index]

    def _quantization(
        self,
        table: Any,
        shape: tuple[int, ...],
        dtype: DType,
        where: str,
    ) -> Quantization | None:
        if table is None or table.ScaleLength() == 0:
            return None
        vector = self.flatbuffer.vector
        scales = tuple(float(s) for s in vector(table.ScaleLength(), table.Scale, where))
        if scales == (0.0,):
            # Converters write this for tensors that nothing reads; it quantizes nothing.
            return None
        zeros = tuple(int(z) for z in vector(table.ZeroPointLength(), table.ZeroPoint, where))
        zeros = zeros or (0,) * len(scales)
        if len(zeros) == 1:
            zeros *= len(scales)
        axis = table.QuantizedDimension()
        if any(not math.isfinite(s) or s <= 0.0 for s in scales):
            raise MalformedModelError("has a scale that is not positive", where=where)
        if len(zeros) != len(scales):
            raise MalformedModelError(
                f"has {len(scales)} scales and {len(zeros)} zero points", where=where
            )
        if shape == (len(scales),):
            # Some converters give a bias the axis of its filter.
            axis = 0
        if len(scales) > 1 and not (0 <= axis < len(shape) and shape[axis] == len(scales)):
            raise MalformedModelError(
                f"has {len(scales)} scales along axis {axis} of shape {shape}", where=where
            )
        if dtype.is_integer:
            low, high = dtype.bounds
            if not all(low <= z <= high for z in zeros):
                raise MalformedModelError("has a zero point outside its type", where=where)
        return Quantization(scales, zeros, axis if len(scales) > 1 else 0)
