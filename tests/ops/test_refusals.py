"""Every rule of every operator refuses what it names, in its own words."""

from __future__ import annotations

import numpy as np
import pytest

from aot.frontend.errors import UnsupportedModelError
from aot.frontend.reader import read_tflite
from aot.ir.target import Target
from aot.ops.registry import tflite_operators
from tests.support.tflite_builder import ModelBuilder

OPS = tflite_operators()
PAIR = {"scale": (0.5, 0.5), "zero": (0, 0)}


class Model:
    """One operator on int8 tensors of scale 0.5 and zero point 0, or float32 ones."""

    def __init__(self, dtype="int8"):
        self.b = ModelBuilder()
        self.dtype = dtype

    def tensor(self, shape, scale=0.5, zero=0, data=None, axis=0):
        if self.dtype != "int8":
            return self.b.tensor(shape, self.dtype, data=data)
        return self.b.tensor(shape, "int8", scale=scale, zero=zero, data=data, axis=axis)

    def input(self, shape, **quantization):
        index = self.tensor(shape, **quantization)
        self.b.inputs.append(index)
        return index

    def ints(self, values, constant=True):
        array = np.array(values, np.int32)
        index = self.b.tensor(array.shape, "int32", data=array if constant else None)
        if not constant:
            self.b.inputs.append(index)
        return index

    def done(self, code, operands, output, table=None, **options):
        self.b.op(code, operands, [output], None if table is None else (table, options))
        self.b.outputs = [output]
        return self.b.build()


def conv(code, *, shape=(1, 4, 4, 2), filters=None, weights=None, **options):
    depthwise = code == "DEPTHWISE_CONV_2D"
    m = Model()
    x = m.input(shape)
    f = filters or ((1, 1, 1, 2) if depthwise else (2, 1, 1, 2))
    w = m.tensor(f, **{"data": np.ones(f), **(weights or {})})
    y = m.tensor((1, 4, 4, 2))
    table = "DepthwiseConv2DOptions" if depthwise else "Conv2DOptions"
    return m.done(code, [x, w], y, table, **{"StrideH": 1, "StrideW": 1, **options})


def fully(*, weights=(2, 4), quantization=None, **options):
    m = Model()
    x = m.input((1, 4))
    w = m.tensor(weights, **{"data": np.ones(weights), **(quantization or {})})
    y = m.tensor((1, 2))
    return m.done("FULLY_CONNECTED", [x, w], y, "FullyConnectedOptions", **options)


def pool(code, *, shape=(1, 4, 4, 2), source=None, result=None, **options):
    m = Model()
    x = m.input(shape, **(source or {}))
    y = m.tensor(shape, **(result or {}))
    basic = {"StrideH": 1, "StrideW": 1, "FilterHeight": 1, "FilterWidth": 1}
    return m.done(code, [x], y, "Pool2DOptions", **{**basic, **options})


def binary(code, *, source=None, **options):
    m = Model()
    a = m.input((1, 2), **(source or {}))
    b = m.input((1, 2))
    return m.done(code, [a, b], m.tensor((1, 2)), f"{code.title()}Options", **options)


def unary(code, *, shape=(1, 2), source=None, result=None, table=None, **options):
    m = Model()
    x = m.input(shape, **(source or {}))
    return m.done(code, [x], m.tensor(shape, **(result or {})), table, **options)


def reshape(shape, *, constant=True, result=None):
    m = Model()
    x = m.input((2, 3))
    y = m.tensor((3, 2), **(result or {}))
    return m.done("RESHAPE", [x, m.ints(shape, constant)], y, "ReshapeOptions")


def squeeze(dims, *, result=None):
    m = Model()
    x = m.input((1, 3))
    y = m.tensor((3,), **(result or {}))
    return m.done("SQUEEZE", [x], y, "SqueezeOptions", SqueezeDims=dims)


def expand(axis, *, constant=True, result=None):
    m = Model()
    x = m.input((2, 3))
    y = m.tensor((1, 2, 3), **(result or {}))
    return m.done("EXPAND_DIMS", [x, m.ints(axis, constant)], y)


def pad(code, *, paddings=((0, 0), (1, 1)), constant=True, value=None, source=None, result=None):
    m = Model()
    x = m.input((1, 2), **(source or {}))
    operands = [x, m.ints(paddings, constant)]
    if code == "PADV2":
        given = {"data": np.zeros(1), **(value or {})}
        size = given.pop("size", 1)
        if given["data"] is not None:
            given["data"] = np.zeros(size)
        operands.append(m.tensor((size,), **given))
        if given["data"] is None:
            m.b.inputs.append(operands[-1])
    return m.done(code, operands, m.tensor((1, 4), **(result or {})))


def concatenation(*, second=None, **options):
    m = Model()
    a, b = m.input((1, 2)), m.input((1, 2), **(second or {}))
    y = m.tensor((1, 4))
    return m.done("CONCATENATION", [a, b], y, "ConcatenationOptions", **{"Axis": 1, **options})


def mean(axes, *, shape=(2, 3), constant=True, source=None):
    m = Model()
    x = m.input(shape, **(source or {}))
    return m.done("MEAN", [x, m.ints(axes, constant)], m.tensor(shape[1:]), "ReducerOptions")


UNIT = {"scale": 1 / 256, "zero": -128}


def softmax(shape=(1, 4), source=None, result=UNIT):
    return unary(
        "SOFTMAX", shape=shape, source=source, result=result, table="SoftmaxOptions", Beta=1.0
    )


def dequantize(source):
    m = Model()
    x = m.input((1, 2), **source)
    return m.done("DEQUANTIZE", [x], m.b.tensor((1, 2), "float32"))


CASES = {
    code: [
        ("input must have 4 dimensions", conv(code, shape=(1, 4, 4))),
        ("filter must have 4 dimensions", conv(code, filters=(2, 1, 2))),
        ("weights zero point 0", conv(code, weights={"zero": 1})),
        ("weights zero point 0", conv(code, weights={**PAIR, "axis": 1 if axis == 0 else 0})),
        ("padding must be SAME or VALID", conv(code, Padding=2)),
        ("strides must be at least 1", conv(code, StrideH=0)),
        ("dilation factors must be at least 1", conv(code, DilationWFactor=0)),
        ("fused activation must be NONE", conv(code, FusedActivationFunction=4)),
    ]
    for code, axis in (("CONV_2D", 0), ("DEPTHWISE_CONV_2D", 3))
}
CASES["CONV_2D"][3] = (
    "weights zero point 0",
    conv("CONV_2D", filters=(2, 2, 2, 2), weights={**PAIR, "axis": 1}),
)
CASES["DEPTHWISE_CONV_2D"][3] = (
    "weights zero point 0",
    conv("DEPTHWISE_CONV_2D", filters=(1, 2, 2, 2), weights={**PAIR, "axis": 1}),
)
CASES["FULLY_CONNECTED"] = [
    ("weights must have 2 dimensions", fully(weights=(2, 4, 1))),
    ("weights zero point 0", fully(quantization={"zero": 3})),
    ("weights must be in the DEFAULT format", fully(WeightsFormat=1)),
    ("fused activation must be NONE", fully(FusedActivationFunction=5)),
]
for _code in ("AVERAGE_POOL_2D", "MAX_POOL_2D"):
    CASES[_code] = [
        ("input must have 4 dimensions", pool(_code, shape=(4, 4, 2))),
        ("one scale and one zero point each", pool(_code, source={**PAIR, "axis": 3})),
        ("input and output must have the same scale", pool(_code, result={"scale": 0.25})),
        ("padding must be SAME or VALID", pool(_code, Padding=7)),
        ("strides must be at least 1", pool(_code, StrideW=-1)),
        ("filter height and width must be at least 1", pool(_code, FilterWidth=0)),
        ("fused activation must be NONE", pool(_code, FusedActivationFunction=4)),
    ]
for _code in ("ADD", "SUB", "MUL"):
    CASES[_code] = [
        ("one scale and one zero point each", binary(_code, source={**PAIR, "axis": 1})),
        ("fused activation must be NONE", binary(_code, FusedActivationFunction=4)),
    ]
for _code in ("RELU", "RELU6", "TANH", "QUANTIZE"):
    CASES[_code] = [("one scale and one zero point each", unary(_code, source={**PAIR, "axis": 1}))]
CASES["RELU_N1_TO_1"] = [("types (int8) -> int8", unary("RELU_N1_TO_1"))]
CASES["LOGISTIC"] = [
    (
        "one scale and one zero point each",
        unary("LOGISTIC", source={**PAIR, "axis": 1}, result=UNIT),
    ),
    ("output scale must be 1/256", unary("LOGISTIC")),
]
CASES["SOFTMAX"] = [
    ("input must have at least 1 dimension", softmax(shape=())),
    ("one scale and one zero point each", softmax(shape=(1, 2), source={**PAIR, "axis": 1})),
    ("fewer than 4096 elements", softmax(shape=(1, 4096))),
    ("output scale must be 1/256", softmax(result={"scale": 0.5})),
]
CASES["RESHAPE"] = [
    ("input and output must have the same scale", reshape([3, 2], result={"zero": 1})),
    ("shape must be constant", reshape([3, 2], constant=False)),
    ("the shape asked for must be the output's", reshape([-1, -1])),
    ("the shape asked for must be the output's", reshape([6])),
]
CASES["SQUEEZE"] = [
    ("input and output must have the same scale", squeeze([0], result={"zero": 1})),
    ("the axes to drop must exist", squeeze([1])),
    ("the axes to drop must exist", squeeze([5])),
]
CASES["EXPAND_DIMS"] = [
    ("input and output must have the same scale", expand(0, result={"zero": 1})),
    ("axis must be constant", expand(0, constant=False)),
    ("the axis must be one integer", expand(7)),
    ("the axis must be one integer", expand([0, 0])),
]
for _code in ("PAD", "PADV2"):
    CASES[_code] = [
        ("one scale and one zero point each", pad(_code, source={**PAIR, "axis": 1})),
        ("input and output must have the same scale", pad(_code, result={"scale": 1.0})),
        ("paddings must be constant", pad(_code, constant=False)),
        ("paddings must be a [rank, 2] tensor", pad(_code, paddings=((0, 0), (-1, 1)))),
        ("paddings must be a [rank, 2] tensor", pad(_code, paddings=((1, 1),))),
    ]
CASES["PADV2"] += [
    ("padding value must be constant", pad("PADV2", value={"data": None})),
    ("the padding value must be one element", pad("PADV2", value={"size": 2})),
    ("the padding value must be one element", pad("PADV2", value={"zero": 5})),
]
CASES["CONCATENATION"] = [
    ("one scale and one zero point each", concatenation(second={**PAIR, "axis": 1})),
    ("every input must have the scale", concatenation(second={"scale": 1.0})),
    ("the axis must be one of the inputs' dimensions", concatenation(Axis=2)),
    ("fused activation must be NONE", concatenation(FusedActivationFunction=1)),
]
CASES["MEAN"] = [
    ("one scale and one zero point each", mean([0], shape=(3, 2), source={**PAIR, "axis": 1})),
    ("axes must be constant", mean([0], constant=False)),
    ("the axes must be dimensions of the input", mean([2])),
    ("input must have at least one element", mean([0], shape=(0, 3))),
]
CASES["DEQUANTIZE"] = [("one scale and one zero point each", dequantize({**PAIR, "axis": 1}))]


@pytest.mark.parametrize(
    ("code", "message", "model"),
    [(code, message, model) for code, cases in CASES.items() for message, model in cases],
)
def test_refused(code, message, model):
    with pytest.raises(UnsupportedModelError) as caught:
        read_tflite(model, "m", Target("scalar"), OPS)
    assert f"{code} #0: " in str(caught.value)
    assert message in str(caught.value)


@pytest.mark.parametrize("code", OPS)
def test_every_rule_has_a_case(code):
    messages = [message for message, _ in CASES[code]]
    for constraint in OPS[code].constraints:
        rule = constraint.__doc__ or ""
        assert any(message in rule for message in messages), rule
