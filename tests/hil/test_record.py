"""Records on the disk: their form, verdicts in words, and text that XML cannot hold."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest

from aot.hil.errors import BoardResetError, NoAnswerError, WrongFirmwareError
from aot.hil.locks import PortBusyError
from aot.hil.record import (
    ModelRecord,
    Record,
    RecordError,
    verdict_of,
    write_junit,
    write_record,
)

MODEL = ModelRecord("kws", 4, 1, 25000, 100, 512, (("sram", 2048),), 0.25, 0.75)
RECORD = Record(
    board="nucleo_f446re",
    probe="066C",
    port="/dev/ttyACM0",
    build_id="0123456789abcdef",
    models=(MODEL,),
    retries=2,
    verdict="wrong outputs",
    message="run 0",
    log=("m-ready", "\x7f?"),
)


def test_json(tmp_path):
    write_record(tmp_path / "test.json", RECORD)
    assert json.loads((tmp_path / "test.json").read_text()) == {
        "schema": 1,
        "board": "nucleo_f446re",
        "probe": "066C",
        "port": "/dev/ttyACM0",
        "build_id": "0123456789abcdef",
        "models": [
            {
                "name": "kws",
                "runs": 4,
                "wrong": 1,
                "ticks": 25000,
                "hz": 100,
                "stack_bytes": 512,
                "pools": {"sram": 2048},
                "seconds": 0.25,
                "accuracy": 0.75,
            }
        ],
        "retries": 2,
        "verdict": "wrong outputs",
        "message": "run 0",
        "log": ["m-ready", "\x7f?"],
    }


def test_no_folder(tmp_path):
    with pytest.raises(RecordError, match="cannot be written"):
        write_record(tmp_path / "no" / "test.json", RECORD)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (NoAnswerError, "no answer"),
        (BoardResetError, "board reset"),
        (WrongFirmwareError, "wrong firmware"),
        (PortBusyError, "port busy"),
    ],
)
def test_verdicts(error, words):
    assert verdict_of(error("why")) == words


def test_junit_with_bytes_of_a_bad_line(tmp_path):
    path = tmp_path / "test.xml"
    write_junit(path, "microbit", [("a", ""), ("b", "got \x00\x1b[31m\ud800 <&>\nsecond line")])
    suite = ET.parse(path).getroot()
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == (
        *("microaot.microbit", "2", "1"),
    )
    good, bad = suite.findall("testcase")
    assert good.find("failure") is None
    failure = bad.find("failure")
    assert failure.get("message") == "got \ufffd\ufffd[31m\ufffd <&>"
    assert failure.text.endswith("\nsecond line")
