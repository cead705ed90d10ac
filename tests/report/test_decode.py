"""Dataclasses come back from JSON, and nothing else does."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

import pytest

from aot.report.decode import ShapeError, decode


@dataclass(frozen=True)
class Inner:
    n: int
    share: float = 0.5


@dataclass(frozen=True)
class Outer:
    name: str
    flag: bool
    inner: Inner | None
    many: tuple[Inner, ...]
    pair: tuple[int, str]
    counts: dict[str, int]


GOOD = Outer("a", True, Inner(1, 2.0), (Inner(2), Inner(3)), (4, "b"), {"x": 5})


def test_round_trip():
    assert decode(Outer, json.loads(json.dumps(asdict(GOOD)))) == GOOD


def test_null_default_unknown_key_and_whole_float():
    data = asdict(GOOD) | {"inner": None, "many": [{"n": 1, "later": 2}, {"n": 1, "share": 3}]}
    found = decode(Outer, json.loads(json.dumps(data)))
    assert found.inner is None
    assert found.many == (Inner(1, 0.5), Inner(1, 3.0))
    assert type(found.many[1].share) is float


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": 1}, "the file: name is int, not str"),
        ({"flag": 1}, "the file: flag is int, not bool"),
        ({"inner": {"n": True}}, "the file: inner: n is bool, not int"),
        ({"inner": {}}, "the file: inner has no `n`"),
        ({"many": [{"n": 1}, []]}, r"the file: many\[1\] is list, not dict"),
        ({"pair": [1]}, "the file: pair has 1 items, not 2"),
        ({"counts": {"x": "5"}}, "the file: counts: x is str, not int"),
        ({"many": None}, "the file: many is NoneType, not list"),
    ],
)
def test_wrong_types_are_named_by_place(change, message):
    with pytest.raises(ShapeError, match=message):
        decode(Outer, json.loads(json.dumps(asdict(GOOD) | change)))
