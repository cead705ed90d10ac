"""Types and contents as text."""

import base64

from aot.ir.print_types import TypePrinter, contents
from aot.ir.types import Data, DType, Quantization, TensorType


def test_types():
    types = TypePrinter()
    assert types.type(TensorType((), DType.BOOL)) == "bool[]"
    assert types.type(TensorType((1, 2), DType.INT8)) == "int8[1, 2]"
    q = Quantization((1 / 3,), (-128,))
    assert types.type(TensorType((4,), DType.INT8, q)) == "int8[4]<0.3333333333333333:-128>"
    assert list(types.definitions()) == []


def test_quantization_per_channel_is_defined_once():
    types = TypePrinter()
    first, second = Quantization((0.5, 0.25), (0, 1), 3), Quantization((0.5,), (0,), axis=1)
    assert types.type(TensorType((2,), DType.INT8, first)) == "int8[2]<#0>"
    assert types.type(TensorType((2,), DType.INT8, second)) == "int8[2]<#1>"
    assert types.type(TensorType((9,), DType.INT8, first)) == "int8[9]<#0>"
    assert list(types.definitions()) == [
        "#0 = {scales=(0.5, 0.25), zero_points=(0, 1), axis=3}",
        "#1 = {scales=(0.5,), zero_points=(0,), axis=1}",
    ]


def test_zeros_of_either_sign_are_different_types():
    types = TypePrinter()

    def of(scale):
        return TensorType((2,), DType.INT8, Quantization((scale, 1.0), (0, 0)))

    assert (types.type(of(0.0)), types.type(of(-0.0))) == ("int8[2]<#0>", "int8[2]<#1>")
    assert not types.same(of(0.0), of(-0.0))
    assert types.same(of(float("nan")), of(float("nan")))


def test_long_definitions_are_wrapped():
    types = TypePrinter()
    types.type(TensorType((64,), DType.INT8, Quantization((0.125,) * 64, (0,) * 64)))
    lines = list(types.definitions())
    assert len(lines) > 1
    assert max(map(len, lines)) <= 100


def test_small_contents_are_hex_by_element():
    data = Data.of([1, -2], DType.INT16)
    assert list(contents(data, data.type, "")) == ['hex "0100 feff"']
    odd = Data((2,), DType.INT16, b"\x01\x02\x03")
    assert list(contents(odd, data.type, "")) == ['hex "0102 03"']


def test_large_contents_are_lines_of_base64():
    raw = bytes(range(100))
    data = Data((100,), DType.UINT8, raw)
    first, *lines, last = contents(data, data.type, "  ")
    assert (first, last) == ("base64 {", "  }")
    assert [len(line) for line in lines] == [len('    "') + 76 + len('"'), len('    "') + 60 + 1]
    assert base64.b64decode("".join(line.strip(' "') for line in lines)) == raw


def test_a_type_stands_with_contents_of_another_type():
    data = Data.of([1], DType.INT8)
    assert list(contents(data, None, "")) == ['int8[1] = hex "01"']
    assert list(contents(data, TensorType((1, 1), DType.INT8), "")) == ['int8[1] = hex "01"']
