"""Reports as files: stable, free of paths, and read back whole."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from aot.report.files import (
    ReportFileError,
    models_file,
    read_models,
    read_report,
    report_files,
)
from aot.report.schema import SCHEMA, Measurement
from tests.report.reports import compiled, digits, hostile, report


def full():
    measured = Measurement(9, 10, 11, {"ram": 12}, tuple(range(10)))
    return report(replace(digits(io_in_pools=True), measured=measured), compiled(hostile())[1])


def test_names_of_the_files():
    names = [f.name for f in report_files(full())]
    assert names == ["report.html", "report.json", "report.csv"]


def test_json_comes_back_as_it_was(tmp_path):
    made = full()
    path = tmp_path / "report.json"
    path.write_text(report_files(made)[1].text)
    assert read_report(path) == made


def test_json_has_a_schema_and_sorted_keys():
    text = report_files(full())[1].text
    content = json.loads(text)
    assert content["schema"] == SCHEMA == 1
    assert text == json.dumps(content, indent=2, sort_keys=True) + "\n"


def test_the_same_model_gives_the_same_bytes():
    assert report_files(full()) == report_files(full())


def test_models_pass_through_a_file():
    made = full().models
    assert read_models(models_file("m.json", made).text) == made


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is no report"),
        (b"\xff\xfe", "is no report"),
        (b"[]", "the file is list, not dict"),
        (b"{}", "has no `schema`"),
        (b'{"schema": 2}', "its schema is 2, not 1"),
        (b'{"schema": 1, "board": 5}', "board is int, not str"),
        (b"[" * 100000, "is no report"),
    ],
)
def test_broken_reports(tmp_path, content, message):
    path = tmp_path / "report.json"
    path.write_bytes(content)
    with pytest.raises(ReportFileError, match=r"report\.json") as caught:
        read_report(path)
    assert message in str(caught.value)


def test_missing_report(tmp_path):
    with pytest.raises(ReportFileError, match="cannot be read: No such file"):
        read_report(tmp_path / "report.json")
