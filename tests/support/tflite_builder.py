"""Builds .tflite files in memory, sound ones and broken ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import flatbuffers
import numpy as np
import tflite

TYPES = {
    "float32": tflite.TensorType.FLOAT32,
    "int8": tflite.TensorType.INT8,
    "uint8": tflite.TensorType.UINT8,
    "int16": tflite.TensorType.INT16,
    "int32": tflite.TensorType.INT32,
    "int64": tflite.TensorType.INT64,
    "bool": tflite.TensorType.BOOL,
    "int4": tflite.TensorType.INT4,
}


@dataclass
class _Tensor:
    shape: tuple[int, ...]
    dtype: str
    scales: tuple[float, ...]
    zeros: tuple[int, ...]
    axis: int
    data: bytes | None
    name: str | None
    variable: bool


@dataclass
class _Operator:
    code: str
    version: int
    inputs: list[int]
    outputs: list[int]
    options: tuple[str, dict[str, Any]] | None


@dataclass
class ModelBuilder:
    """Collects tensors and operators; tensors are referred to by the index that ``tensor`` gave.

    Indices, sizes and contents are written as given, whether they make sense or not.
    """

    tensors: list[_Tensor] = field(default_factory=list)
    operators: list[_Operator] = field(default_factory=list)
    inputs: list[int] = field(default_factory=list)
    outputs: list[int] = field(default_factory=list)
    signature: tuple[dict[str, int], dict[str, int]] | None = None
    version: int = 3
    subgraphs: int = 1
    opcode_shift: int = 0

    def tensor(
        self,
        shape: tuple[int, ...],
        dtype: str = "int8",
        *,
        scale: float | tuple[float, ...] = (),
        zero: int | tuple[int, ...] = (),
        axis: int = 0,
        data: Any = None,
        name: str | None = "",
        variable: bool = False,
    ) -> int:
        """A tensor; ``data`` is an array, or bytes as they go into the file."""
        scales = scale if isinstance(scale, tuple) else (scale,)
        zeros = zero if isinstance(zero, tuple) else (zero,)
        raw = data if data is None or isinstance(data, bytes) else _packed(data, dtype)
        if name == "":
            name = f"t{len(self.tensors)}"
        self.tensors.append(_Tensor(shape, dtype, scales, zeros, axis, raw, name, variable))
        return len(self.tensors) - 1

    def op(
        self,
        code: str,
        inputs: list[int],
        outputs: list[int],
        options: tuple[str, dict[str, Any]] | None = None,
        version: int = 1,
    ) -> None:
        """An operator; ``options`` are the name of its table and the table's fields."""
        self.operators.append(_Operator(code, version, inputs, outputs, options))

    def build(self) -> bytes:
        """The file."""
        b = flatbuffers.Builder(1024)
        buffers = [_table(b, "Buffer", {})]
        tensor_offsets = []
        for t in self.tensors:
            index = 0
            if t.data is not None:
                index = len(buffers)
                b.StartVector(1, len(t.data), 16)
                b.head -= len(t.data)
                b.Bytes[b.head : b.head + len(t.data)] = t.data
                buffers.append(_table(b, "Buffer", {"Data": b.EndVector()}))
            tensor_offsets.append(self._tensor(b, t, index))
        codes = sorted({(o.code, o.version) for o in self.operators})
        operator_offsets = [self._operator(b, o, codes) for o in self.operators]
        graph = {
            "Tensors": _offsets(b, tensor_offsets),
            "Inputs": _ints(b, self.inputs),
            "Outputs": _ints(b, self.outputs),
            "Operators": _offsets(b, operator_offsets),
        }
        subgraph = _table(b, "SubGraph", graph)
        model = {
            "OperatorCodes": _offsets(b, [self._code(b, *c) for c in codes]),
            "Subgraphs": _offsets(b, [subgraph] * self.subgraphs),
            "Buffers": _offsets(b, buffers),
        }
        if self.signature is not None:
            model["SignatureDefs"] = _offsets(b, [self._signature(b, *self.signature)])
        root = _table(b, "Model", {**model, "Version": self.version})
        b.Finish(root, b"TFL3")
        return bytes(b.Output())

    def _tensor(self, b: flatbuffers.Builder, t: _Tensor, buffer: int) -> int:
        fields: dict[str, Any] = {"Shape": _ints(b, list(t.shape)), "Type": TYPES[t.dtype]}
        if t.name is not None:
            fields["Name"] = b.CreateString(t.name)
        if t.scales:
            quantization = {
                "Scale": b.CreateNumpyVector(np.array(t.scales, np.float32)),
                "ZeroPoint": b.CreateNumpyVector(np.array(t.zeros, np.int64)),
                "QuantizedDimension": t.axis,
            }
            fields["Quantization"] = _table(b, "QuantizationParameters", quantization)
        return _table(b, "Tensor", {**fields, "Buffer": buffer, "IsVariable": t.variable})

    def _operator(self, b: flatbuffers.Builder, o: _Operator, codes: list[tuple[str, int]]) -> int:
        fields: dict[str, Any] = {"Inputs": _ints(b, o.inputs), "Outputs": _ints(b, o.outputs)}
        if o.options is not None:
            name, values = o.options
            lists = {k: _ints(b, v) for k, v in values.items() if isinstance(v, list)}
            fields["BuiltinOptions"] = _table(b, name, {**values, **lists})
            fields["BuiltinOptionsType"] = getattr(tflite.BuiltinOptions, name)
        index = codes.index((o.code, o.version)) + self.opcode_shift
        return _table(b, "Operator", {**fields, "OpcodeIndex": index})

    def _code(self, b: flatbuffers.Builder, code: str, version: int) -> int:
        fields: dict[str, Any] = {"Version": version}
        if code.startswith("CUSTOM:"):
            fields["CustomCode"] = b.CreateString(code.removeprefix("CUSTOM:"))
            code = "CUSTOM"
        number = getattr(tflite.BuiltinOperator, code)
        fields |= {"BuiltinCode": number, "DeprecatedBuiltinCode": min(number, 127)}
        return _table(b, "OperatorCode", fields)

    def _signature(
        self, b: flatbuffers.Builder, inputs: dict[str, int], outputs: dict[str, int]
    ) -> int:
        def maps(named: dict[str, int]) -> int:
            entries = [
                _table(b, "TensorMap", {"Name": b.CreateString(k), "TensorIndex": v})
                for k, v in named.items()
            ]
            return _offsets(b, entries)

        fields = {
            "Inputs": maps(inputs),
            "Outputs": maps(outputs),
            "SignatureKey": b.CreateString("serving_default"),
        }
        return _table(b, "SignatureDef", fields)


def _packed(data: Any, dtype: str) -> bytes:
    return np.ascontiguousarray(data, dtype=np.dtype(dtype).newbyteorder("<")).tobytes()


def _table(b: flatbuffers.Builder, name: str, fields: dict[str, Any]) -> int:
    """A table; vectors and strings among ``fields`` are offsets already."""
    getattr(tflite, f"{name}Start")(b)
    for key, value in fields.items():
        getattr(tflite, f"{name}Add{key}")(b, value)
    offset: int = getattr(tflite, f"{name}End")(b)
    return offset


def _ints(b: flatbuffers.Builder, values: list[int]) -> int:
    offset: int = b.CreateNumpyVector(np.array(values, np.int32))
    return offset


def _offsets(b: flatbuffers.Builder, offsets: list[int]) -> int:
    b.StartVector(4, len(offsets), 4)
    for offset in reversed(offsets):
        b.PrependUOffsetTRelative(offset)
    vector: int = b.EndVector()
    return vector
