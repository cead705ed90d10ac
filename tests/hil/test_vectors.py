"""Vectors: reading, shapes, types, writing, and the first difference."""

from __future__ import annotations

import numpy as np
import pytest

from aot.hil.interface import MetadataError, TensorSpec, read_interface
from aot.hil.vectors import VectorsError, differences, read_vectors, write_vectors

SPECS = (TensorSpec("a", "int8", (1, 3)), TensorSpec("b", "float32", (2,)))


def save(path, **arrays):
    np.savez(path, **arrays)
    return path


def test_one_run(tmp_path):
    path = save(tmp_path / "v.npz", in0=np.ones((1, 3), np.int8), in1=np.zeros(2, np.float32), x=1)
    vectors = read_vectors(path, "in", SPECS)
    assert not vectors.several
    assert [[t.tolist() for t in run] for run in vectors.runs] == [[[[1, 1, 1]], [0.0, 0.0]]]


def test_several_runs(tmp_path):
    a = np.arange(12, dtype=np.int8).reshape(4, 1, 3)
    path = save(tmp_path / "v.npz", in0=a, in1=np.zeros((4, 2), np.float32))
    vectors = read_vectors(path, "in", SPECS)
    assert vectors.several
    assert [run[0].tolist() for run in vectors.runs] == a.tolist()


def test_integers_that_fit_are_converted(tmp_path):
    path = save(tmp_path / "v.npz", in0=np.full((1, 3), -5, np.int64))
    assert read_vectors(path, "in", SPECS[:1]).runs[0][0].dtype == np.int8


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"in0": np.ones((1, 3), np.int8)}, "has no array `in1`; it holds in0"),
        ({"in0": np.ones((3, 1), np.int8), "in1": np.ones(2, np.float32)}, r"\[3, 1\] where"),
        ({"in0": np.full((1, 3), 300), "in1": np.ones(2, np.float32)}, "values that int8 cannot"),
        ({"in0": np.full((1, 3), 0.5), "in1": np.ones(2, np.float32)}, "values that int8 cannot"),
        (
            {"in0": np.ones((4, 1, 3), np.int8), "in1": np.ones((3, 2), np.float32)},
            "different numbers of runs",
        ),
        (
            {"in0": np.ones((4, 1, 3), np.int8), "in1": np.ones(2, np.float32)},
            "different numbers of runs",
        ),
    ],
)
def test_files_that_do_not_fit(tmp_path, arrays, message):
    path = save(tmp_path / "v.npz", **arrays)
    with pytest.raises(VectorsError, match=message):
        read_vectors(path, "in", SPECS)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"not a zip"])
def test_no_npz(tmp_path, content):
    path = tmp_path / "v.npz"
    path.write_bytes(content)
    with pytest.raises(VectorsError, match=r"cannot be read as \.npz"):
        read_vectors(path, "in", SPECS)


def test_pickles_are_not_loaded(tmp_path):
    path = save(tmp_path / "v.npz", in0=np.array([print], dtype=object))
    with pytest.raises(VectorsError):
        read_vectors(path, "in", SPECS[:1])


@pytest.mark.parametrize("several", [False, True])
def test_round_trip(tmp_path, several):
    runs = [(np.full((1, 3), i, np.int8), np.full(2, i, np.float32)) for i in range(3)]
    runs = runs if several else runs[:1]
    write_vectors(tmp_path / "o.npz", "out", runs, several)
    back = read_vectors(tmp_path / "o.npz", "out", SPECS)
    assert back.several is several
    assert [[t.tolist() for t in r] for r in back.runs] == [[t.tolist() for t in r] for r in runs]
    assert [p.name for p in tmp_path.iterdir()] == ["o.npz"]


def test_a_folder_that_is_missing(tmp_path):
    with pytest.raises(VectorsError, match="cannot be written"):
        write_vectors(tmp_path / "no" / "o.npz", "out", [(np.zeros(1),)], several=False)


def test_differences():
    ours = [(np.array([[1, 2, 3]], np.int8), np.array([1.0, 2.0], np.float32))] * 2
    theirs = [ours[0], (np.array([[1, 2, 4]], np.int8), np.array([1.0, 2.0], np.float32))]
    assert list(differences(ours, theirs, SPECS)) == [
        "run 1, out0 (`a`): 1 of 3 elements differ, first [0, 2]: got 3, expected 4"
    ]


@pytest.mark.parametrize(
    ("value", "same"), [(1.000009, True), (1.00002, False), (float("nan"), False)]
)
def test_float_tolerance(value, same):
    ours = [(np.array([value], np.float32),)]
    theirs = [(np.array([1.0], np.float32),)]
    spec = TensorSpec("f", "float32", (1,))
    assert (not list(differences(ours, theirs, [spec]))) is same


def test_interface_of_something_else(tmp_path):
    (tmp_path / "m.json").write_text("{}")
    with pytest.raises(MetadataError, match="no metadata of a model"):
        read_interface(tmp_path / "m.json")
