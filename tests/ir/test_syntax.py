"""Names and literals of the text form."""

import math
from dataclasses import dataclass

import numpy as np
import pytest

from aot.ir.pools import Pool, PoolKind
from aot.ir.syntax import RESERVED, attribute_list, attributes, literal, name, number, suffix

from .modules import Blend, Mode


@dataclass(frozen=True)
class Tolerance:
    value: float = 0.0
    exact: bool = False


@pytest.mark.parametrize("text", ["a", "_", "x_1", "input", "Konto"])
def test_plain_identifiers_stay_bare(text):
    assert name(text) == text


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("", '""'),
        ("1x", '"1x"'),
        ("a/b:0", '"a/b:0"'),
        ("größe", '"größe"'),
        ("a\n", r'"a\n"'),
        ('a"\\', r'"a\"\\"'),
        ("\u2028", r'"\u2028"'),
        ("for", '"for"'),
        ("int8", '"int8"'),
        ("nan", '"nan"'),
    ],
)
def test_other_names_are_quoted(text, quoted):
    assert name(text) == quoted


def test_every_reserved_word_is_quoted():
    assert all(name(word) == f'"{word}"' for word in RESERVED)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "1"),
        (-1, "-1"),
        (0.1, "0.1"),
        (-0.0, "-0.0"),
        (1e-45, "1e-45"),
        (1e16, "1e+16"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (math.nan, "nan"),
        (np.float64(0.1), "0.1"),
        (np.int64(7), "7"),
    ],
)
def test_numbers_are_exact(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None"),
        (True, "True"),
        (0, "0"),
        ("for", '"for"'),
        (Mode.EXACT, "EXACT"),
        ((), "()"),
        ((1,), "(1,)"),
        ((1, (0.5, None)), "(1, (0.5, None))"),
        (Tolerance(1.0), "{value=1.0}"),
        (Tolerance(), "{}"),
    ],
)
def test_literals(value, text):
    assert literal(value) == text


def test_what_is_no_literal_is_refused():
    with pytest.raises(TypeError, match="list has no text form"):
        literal([1])


def test_fields_at_their_default_are_left_out():
    pool = Pool("ram", PoolKind.WORKSPACE, alignment=8)
    assert attributes(pool) == '{name="ram", kind=WORKSPACE, alignment=8}'
    assert attributes(pool, without=("name", "alignment")) == "{kind=WORKSPACE}"
    assert suffix(Tolerance()) == ""
    assert suffix(Tolerance(exact=True)) == " {exact=True}"


def test_a_default_of_another_type_or_sign_is_not_left_out():
    assert attribute_list(Tolerance(-0.0)) == ["value=-0.0"]
    assert attribute_list(Tolerance(0)) == ["value=0"]


def test_defaults_can_be_asked_for():
    assert attribute_list(Blend(), without=("axes", "size"), defaults=True) == [
        "factor=0.5",
        "mode=FAST",
        'label=""',
        "keep=False",
        "limit=None",
        "nested=()",
    ]
