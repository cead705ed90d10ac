"""microaot diff: its statuses, its words and its JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from aot.report.files import report_files
from tests.commands.test_cli import microaot, refused
from tests.report.reports import digits, report


@pytest.fixture
def files(tmp_path):
    """A report, and one in which flash grew by one percent and RAM shrank."""
    small = report(digits())
    large = replace(small, memory=replace(small.memory, flash=20200, ram=8000))
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    for path, made in zip(paths, (small, large), strict=True):
        path.write_text(report_files(made)[1].text)
    return paths


def test_statuses(files):
    a, b = files
    same = microaot("diff", a, a)
    assert (same.returncode, same.stdout) == (0, "no difference\n")
    grew = microaot("diff", a, b)
    assert grew.returncode == 1
    lines = [line.split() for line in grew.stdout.splitlines()]
    assert lines == [
        "firmware flash bytes 20,000 -> 20,200 +200 +1.0 % grew".split(),
        "firmware RAM bytes 9,000 -> 8,000 -1,000 -11.1 %".split(),
    ]
    assert microaot("diff", a, b, "--tolerance", "1").returncode == 0
    assert microaot("diff", a, b, "--tolerance", "0.9").returncode == 1
    # The other way round it is RAM that grew.
    assert microaot("diff", b, a, "--tolerance", "1").returncode == 1


def test_json(files):
    result = microaot("diff", *files, "--json")
    assert result.returncode == 1
    content = json.loads(result.stdout)
    assert content["grew"] is True and content["schema"] == 1 and content["tolerance"] == 0.0
    flash = {"subject": "firmware", "figure": "flash bytes"}
    assert content["changes"][0] == flash | {"before": 20000, "after": 20200, "grew": True}
    assert json.loads(microaot("diff", files[0], files[0], "--json").stdout)["changes"] == []


def test_unreadable(files, tmp_path):
    refused(microaot("diff", files[0], tmp_path / "no.json"), "no.json: cannot be read", status=2)
    (tmp_path / "c.json").write_text("{}")
    refused(microaot("diff", tmp_path / "c.json", files[0]), "c.json: is no report", status=2)


@pytest.mark.parametrize("percent", ["-1", "nan", "inf", "much"])
def test_bad_tolerance(files, percent):
    refused(microaot("diff", *files, f"--tolerance={percent}"), "--tolerance", status=2)
