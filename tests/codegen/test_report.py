"""<model>_report.txt."""

from __future__ import annotations

from dataclasses import replace

from aot.codegen.report import report_file
from tests.codegen.golden_files import ADDER_REPORT
from tests.codegen.harness import PROVENANCE


def lines(**changes: object) -> list[str]:
    return report_file(replace(ADDER_REPORT, **changes), PROVENANCE).text.splitlines()


def test_share_of_a_pool_is_of_its_limit():
    (ram,) = [line.split() for line in lines() if line.startswith("ram ")]
    assert ram == ["ram", "workspace", "24", "1,024", "2.3", "%"]


def test_the_peak_is_marked_once():
    assert [line.split()[0] for line in lines() if line.endswith("<- peak")] == ["0"]


def test_totals_add_up():
    rows = (replace(ADDER_REPORT.operators[1], macs=7, weight_bytes=5),) * 3
    assert lines(operators=rows)[-1].split() == ["total", "21", "15"]


def test_models_without_operators_have_a_report():
    assert lines(operators=())[-1].split() == ["total", "0", "0"]


def test_interface_that_does_not_fit_is_left_out():
    assert not any(line.startswith("together") for line in lines(workspace_with_io=None))


def test_names_stay_on_their_line():
    rows = (replace(ADDER_REPORT.operators[0], origin="a\nb\udcff"),)
    assert len(lines(operators=rows)) == len(lines()) - 1
    assert any("a?b?" in line for line in lines(operators=rows))


def test_no_line_ends_in_blanks():
    assert [line for line in lines() if line != line.rstrip()] == []
