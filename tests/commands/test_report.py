"""microaot report, from a model to three files."""

from __future__ import annotations

import json

import pytest

from tests.commands.test_cli import microaot, needs, refused
from tests.support.models import DIGITS

FILES = ["report.csv", "report.html", "report.json"]


def content(folder):
    return json.loads((folder / "report.json").read_text())


def test_report(tmp_path):
    needs("arm-none-eabi-gcc")
    result = microaot("report", DIGITS, "--board", "stm32f746", "-o", tmp_path / "out")
    assert result.returncode == 0, result.stderr
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == FILES
    assert "<- peak" in result.stdout and "pool dtcm" in result.stdout
    assert f"wrote\n  {tmp_path / 'out' / 'report.html'}" in result.stdout
    made = content(tmp_path / "out")
    assert [m["name"] for m in made["models"]] == ["digits"]
    assert made["models"][0]["file"] == "digits.tflite"
    assert made["memory"]["stack"] == {"bytes": 8192, "region": "dtcm"}
    for path in (tmp_path / "out").iterdir():
        assert str(tmp_path) not in path.read_text()
        assert str(DIGITS.parent) not in path.read_text()


def test_a_test_of_the_same_build_is_reported(tmp_path):
    needs("gcc")
    argv = ("report", DIGITS, "--board", "host", "-o", tmp_path)
    microaot(*argv)
    before = {name: (tmp_path / name).read_bytes() for name in FILES}
    model = {"name": "digits", "ticks": 7, "hz": 1, "stack_bytes": 9, "pools": {"ram": 3000}}
    record = {"board": "host", "build_id": "other", "port": "/dev/x", "models": [model]}
    (tmp_path / "test.json").write_text(json.dumps(record))
    microaot(*argv)
    assert before == {name: (tmp_path / name).read_bytes() for name in FILES}
    record["build_id"] = content(tmp_path)["build_id"]
    (tmp_path / "test.json").write_text(json.dumps(record))
    microaot(*argv)
    assert content(tmp_path)["models"][0]["measured"]["ticks"] == 7
    (tmp_path / "test.json").write_text("{}")
    refused(microaot(*argv), "test.json: is no record of a test", "run the test again")


@pytest.mark.parametrize("argv", [("--board", "host"), ("-o", "x")])
def test_usage(argv):
    refused(microaot("report", DIGITS, *argv), "usage:", status=2)
