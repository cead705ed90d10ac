"""Literals by the type of their place, tensor types and contents."""

import math
from dataclasses import dataclass

import pytest

from aot.ir.cursor import Cursor
from aot.ir.lexer import ParseError
from aot.ir.types import Data, DType, Quantization, TensorType

from .modules import Mode


@dataclass(frozen=True)
class Inner:
    a: int
    b: str = "x"


@pytest.mark.parametrize(
    ("text", "hint", "value"),
    [
        ("-5", int, -5),
        ("0.5", float, 0.5),
        ("-inf", float, -math.inf),
        ("2", float, 2),
        ("True", bool, True),
        ('"a\\nb"', str, "a\nb"),
        ("EXACT", Mode, Mode.EXACT),
        ("None", int | None, None),
        ("3", int | None, 3),
        ('"s"', int | str | None, "s"),
        ("0.5", int | float, 0.5),
        ("()", tuple[int, ...], ()),
        ("(1,)", tuple[int, ...], (1,)),
        ("(1, 2)", tuple[int, ...], (1, 2)),
        ("(1, 0.5)", tuple[int, float], (1, 0.5)),
        ("((1,), ())", tuple[tuple[int, ...], ...], ((1,), ())),
        ("{a=1}", Inner, Inner(1)),
        ('{b="y", a=2}', Inner | None, Inner(2, "y")),
    ],
)
def test_literals(text, hint, value):
    cursor = Cursor(text)
    found = cursor.literal(hint)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "hint", "where", "why"),
    [
        ("0.5", int, "column 1", "expected an integer"),
        ("1", bool, "column 1", "expected a bool"),
        ("x", str, "column 1", "expected a string, found `x`"),
        ('"\\q"', str, "column 1", "the string has an escape"),
        ("x", int | None, "column 1", "expected a number"),
        ("SLOW", Mode, "column 1", "expected a Mode (FAST, EXACT)"),
        ("(1, 2, 3)", tuple[int, int], "column 8", "expected 2 items"),
        ("(1,)", tuple[int, int], "column 1", "expected 2 items, found 1"),
        ("(1 2)", tuple[int, ...], "column 4", "expected `)`, found `2`"),
        ("{}", Inner, "column 1", "Inner lacks `a`"),
        ("{a=1, c=2}", Inner, "column 7", "there is no attribute `c`"),
        ("{a=1, a=2}", Inner, "column 7", "attribute `a` is given twice"),
        ("9" * 5000, int, "column 1", "the integer is too long"),
    ],
)
def test_wrong_literals(text, hint, where, why):
    with pytest.raises(ParseError) as caught:
        Cursor(text).literal(hint)
    assert caught.value.where.endswith(where)
    assert why in caught.value.why


def test_nan_is_a_number():
    assert math.isnan(Cursor("nan").number())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int8[]", TensorType((), DType.INT8)),
        ("float32[1, 49]", TensorType((1, 49), DType.FLOAT32)),
        ("int8[2]<0.5:-3>", TensorType((2,), DType.INT8, Quantization((0.5,), (-3,)))),
    ],
)
def test_types(text, expected):
    assert Cursor(text).type() == expected


def test_types_refer_to_quantization_by_number():
    cursor = Cursor("int8[2]<#7>")
    cursor.quantizations[7] = Quantization((1.0, 2.0), (0, 0))
    assert cursor.type().quantization == Quantization((1.0, 2.0), (0, 0))


@pytest.mark.parametrize(
    ("text", "raw"),
    [('hex ""', b""), ('hex "00ff 7f"', b"\x00\xff\x7f"), ('base64 { "AP9/" "AA==" }', None)],
)
def test_contents(text, raw):
    # RFC 4648: AP9/ is 00 ff 7f, AA== is 00.
    expected = b"\x00\xff\x7f\x00" if raw is None else raw
    like = TensorType((len(expected),), DType.INT8)
    assert Cursor(text).data(like) == Data(like.shape, DType.INT8, expected)


def test_contents_may_have_a_type_of_their_own():
    like = TensorType((1,), DType.INT8)
    assert Cursor('int16[2] = hex "01 02"').data(like) == Data((2,), DType.INT16, b"\x01\x02")


@pytest.mark.parametrize("text", ['hex "0"', 'hex "zz"', 'base64 {"AP9"}', 'base64 {"ü"}'])
def test_damaged_contents_are_refused(text):
    with pytest.raises(ParseError, match="the contents are damaged"):
        Cursor(text).data(TensorType((1,), DType.INT8))


def test_an_unknown_word_comes_with_the_nearest():
    cursor = Cursor("x")
    assert cursor.unknown("attribute", "colour", ["color", "size"]).remedy == (
        "did you mean `color`?"
    )
    assert cursor.unknown("attribute", "zzz", ["size", "color"]).remedy == "known are color, size"
    assert cursor.unknown("attribute", "zzz", []).remedy == "known are none"
