"""Sound files read into graphs; everything unsupported is reported at once."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest

from aot.frontend.errors import MalformedModelError, UnsupportedModelError
from aot.frontend.reader import read_tflite
from aot.ir.target import Target
from aot.ops.registry import tflite_operators
from tests.support.tflite_builder import ModelBuilder


def read(model: bytes):
    return read_tflite(model, "m", Target("scalar"), tflite_operators())


def relu(**names) -> ModelBuilder:
    """x -> RELU -> y."""
    b = ModelBuilder()
    x = b.tensor((1, 4), "float32", name=names.get("x", "x"))
    y = b.tensor((1, 4), "float32", name=names.get("y", "y"))
    b.op("RELU", [x], [y])
    b.inputs, b.outputs = [x], [y]
    return b


def test_names_come_from_the_signature():
    b = relu()
    b.signature = ({"image": 0}, {"scores": 1})
    graph = read(b.build()).graph
    assert [p.name for p in graph.params] == ["image"]
    assert [p.name for p in graph.results] == ["scores"]


def test_names_come_from_the_tensors_without_a_signature():
    graph = read(relu(x="in:0", y="out;1").build()).graph
    assert ([p.name for p in graph.params], [p.name for p in graph.results]) == (
        ["in:0"],
        ["out;1"],
    )


@pytest.mark.parametrize("name", [None, ""])
def test_missing_names_are_made_up(name):
    b = relu()
    b.tensors[0].name = name
    assert read(b.build()).graph.params[0].name == "tensor_0"


def test_repeated_names_stay_apart():
    graph = read(relu(x="same", y="same").build()).graph
    assert graph.params[0].value.name != graph.results[0].value.name


def test_everything_unsupported_is_in_one_message():
    b = relu()
    gather = b.tensor((1, 4), "float32")
    b.op("GATHER", [1, 0], [gather])
    custom = b.tensor((1, 4), "float32")
    b.op("CUSTOM:Magic", [gather], [custom])
    wide = b.tensor((1, 4), "int16", scale=1.0, zero=0)
    b.op("TANH", [wide], [b.tensor((1, 4), "int16", scale=1.0, zero=0)])
    b.inputs.append(wide)
    new = b.tensor((1, 4), "float32")
    b.op("RELU", [custom], [new], version=99)
    b.outputs = [new]
    with pytest.raises(UnsupportedModelError) as caught:
        read(b.build())
    text = str(caught.value)
    assert "GATHER #1: operator (version 1)" in text
    assert "CUSTOM:Magic #2: operator (version 1)" in text
    assert "TANH #3: types (int16) -> int16" in text
    assert "RELU #4: version 99" in text
    assert len(caught.value.problems) == 4


def test_options_are_reported_together():
    b = ModelBuilder()
    x = b.tensor((1, 4, 4, 1), "float32")
    y = b.tensor((1, 4, 4, 1), "float32")
    options = {
        "FilterHeight": 0,
        "FilterWidth": 1,
        "StrideH": 0,
        "StrideW": 1,
        "FusedActivationFunction": 4,
    }
    b.op("MAX_POOL_2D", [x], [y], ("Pool2DOptions", options))
    b.inputs, b.outputs = [x], [y]
    with pytest.raises(UnsupportedModelError) as caught:
        read(b.build())
    assert len(caught.value.problems) == 3


def test_state_is_not_supported():
    b = relu()
    b.tensors[0].variable = True
    with pytest.raises(UnsupportedModelError, match="variable tensor"):
        read(b.build())


def test_sub_byte_weights_are_not_supported():
    b = ModelBuilder()
    x = b.tensor((1, 4), "int8", scale=1.0, zero=0)
    w = b.tensor((2, 4), "int4", scale=1.0, zero=0, data=b"1234")
    y = b.tensor((1, 2), "int8", scale=1.0, zero=0)
    b.op("FULLY_CONNECTED", [x, w, -1], [y], ("FullyConnectedOptions", {}))
    b.inputs, b.outputs = [x], [y]
    with pytest.raises(UnsupportedModelError, match="INT4"):
        read(b.build())


def test_other_operators_options_are_ignored():
    b = ModelBuilder()
    x, y = b.tensor((2,), "float32"), b.tensor((2,), "float32")
    b.op("ADD", [x, x], [y], ("PadOptions", {}))
    b.inputs, b.outputs = [x], [y]
    assert read(b.build()).graph.calls[0].op.name == "add"


def broken(change) -> bytes:
    b = relu()
    change(b)
    return b.build()


def _set(field, value):
    return lambda b: setattr(b, field, value)


def _op(field, value):
    return lambda b: setattr(b.operators[0], field, value)


def _tensor(index, field, value):
    return lambda b: setattr(b.tensors[index], field, value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_set("subgraphs", 0), "no subgraph"),
        (_set("version", 2), "schema version"),
        (_set("outputs", []), "no output"),
        (_set("outputs", [9]), "tensor 9 of 2"),
        (_set("inputs", [-7]), "tensor -7 of 2"),
        (_set("opcode_shift", 5), "operator code 5"),
        (_op("inputs", [99]), "tensor 99 of 2"),
        (_op("outputs", [99]), "tensor 99 of 2"),
        (_set("inputs", []), "before anything writes it"),
        (_set("inputs", [0, 0]), "already has a value"),
        (_op("outputs", [0]), "already has a value"),
        (_tensor(1, "data", b"\0" * 16), "which is constant"),
        (_tensor(0, "data", b"\0" * 16), "which is constant"),
        (_tensor(0, "shape", (1, -4)), "negative dimension"),
        (_tensor(0, "shape", (70000, 70000)), "2 GiB"),
        (_tensor(1, "shape", (1, 5)), "follows as float32"),
    ],
)
def test_broken_files(change, message):
    with pytest.raises(MalformedModelError, match=message):
        read(broken(change))


@pytest.mark.parametrize(
    ("scales", "zeros", "message"),
    [
        ((-1.0,), (0,), "not positive"),
        ((float("nan"),), (0,), "not positive"),
        ((float("inf"),), (0,), "not positive"),
        ((1.0, 2.0, 3.0), (0, 0, 0), "3 scales along axis 0"),
        ((1.0,), (200,), "outside its type"),
        ((1.0,), (0, 0), "1 scales and 2 zero points"),
    ],
)
def test_broken_quantization(scales, zeros, message):
    b = ModelBuilder()
    x = b.tensor((1, 4), "int8", scale=scales, zero=zeros)
    y = b.tensor((1, 4), "int8", scale=1.0, zero=0)
    b.op("RELU", [x], [y])
    b.inputs, b.outputs = [x], [y]
    with pytest.raises(MalformedModelError, match=message):
        read(b.build())


def test_scale_zero_quantizes_nothing():
    b = ModelBuilder()
    x = b.tensor((1, 4), "int8", scale=0.0, zero=0)
    y = b.tensor((1, 4), "int8", scale=1.0, zero=0)
    b.op("RELU", [x], [y])
    b.inputs, b.outputs = [x], [y]
    with pytest.raises(UnsupportedModelError, match="one scale and one zero point"):
        read(b.build())


def test_constant_shorter_than_its_shape():
    b = ModelBuilder()
    x = b.tensor((4,), "float32")
    w = b.tensor((4,), "float32", data=b"\0" * 12)
    y = b.tensor((4,), "float32")
    b.op("ADD", [x, w], [y])
    b.inputs, b.outputs = [x], [y]
    with pytest.raises(MalformedModelError, match="12 bytes of contents where its shape"):
        read(b.build())


def test_operators_out_of_order():
    b = ModelBuilder()
    x, mid, y = (b.tensor((4,), "float32") for _ in range(3))
    b.op("RELU", [mid], [y])
    b.op("RELU", [x], [mid])
    b.inputs, b.outputs = [x], [y]
    with pytest.raises(MalformedModelError, match="before anything writes it"):
        read(b.build())


@pytest.mark.parametrize("raw", [b"", b"x", b"TFL3", b"\0" * 64, b"\xff" * 64])
def test_files_of_something_else(raw):
    with pytest.raises(MalformedModelError):
        read(raw)


def test_every_truncation_and_bit_flip_ends_in_one_of_the_two_errors():
    whole = relu().build()
    rng = np.random.default_rng(1)
    damaged = [whole[:n] for n in range(len(whole))]
    for _ in range(2000):
        flipped = bytearray(whole)
        for _ in range(rng.integers(1, 4)):
            flipped[rng.integers(len(whole))] ^= 1 << rng.integers(8)
        damaged.append(bytes(flipped))
    for raw in damaged:
        # Anything else that is raised fails the test; damage that no rule sees is read.
        with suppress(MalformedModelError, UnsupportedModelError):
            read(raw)
