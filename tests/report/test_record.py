"""What a test measured reaches the models of its own build alone."""

from __future__ import annotations

import json

import pytest

from aot.report.record import MeasurementError, measured
from aot.report.schema import Measurement
from tests.report.reports import digits

ENTRY = {"name": "tested", "ticks": 900, "hz": 1000, "stack_bytes": 272, "pools": {"ram": 3072}}


def record(folder, *entries, build="b1"):
    path = folder / "test.json"
    content = {"board": "b", "build_id": build, "port": "/dev/x", "models": list(entries)}
    path.write_text(json.dumps(content))
    return path


def test_no_record_leaves_models_unmeasured(tmp_path):
    models = (digits(),)
    assert measured(models, tmp_path / "test.json", "b1") == models


def test_record_of_this_build(tmp_path):
    (model,) = measured((digits(),), record(tmp_path, ENTRY), "b1")
    assert model.measured == Measurement(900, 1000, 272, {"ram": 3072}, None)


def test_record_of_another_build_is_ignored(tmp_path):
    models = (digits(),)
    assert measured(models, record(tmp_path, ENTRY, build="b0"), "b1") == models


def test_record_of_another_model_is_ignored(tmp_path):
    models = (digits(),)
    assert measured(models, record(tmp_path, ENTRY | {"name": "other"}), "b1") == models


def test_model_that_did_not_come_to_its_end(tmp_path):
    nothing = {"ticks": None, "hz": None, "stack_bytes": None, "pools": {}}
    models = (digits(),)
    assert measured(models, record(tmp_path, ENTRY | nothing), "b1") == models


def test_ticks_per_operator(tmp_path):
    ticks = list(range(10))
    (model,) = measured((digits(),), record(tmp_path, ENTRY | {"operator_ticks": ticks}), "b1")
    assert model.measured.operator_ticks == tuple(ticks)
    with pytest.raises(MeasurementError, match="ticks of 9 operators where the model has 10"):
        measured((digits(),), record(tmp_path, ENTRY | {"operator_ticks": ticks[1:]}), "b1")


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"build_id": 1}', "[" * 100000, '{"build_id": "b1", "models": [{}]}']
)
def test_broken_record(tmp_path, text):
    (tmp_path / "test.json").write_text(text)
    with pytest.raises(MeasurementError, match=r"test\.json: is no record of a test"):
        measured((digits(),), tmp_path / "test.json", "b1")
