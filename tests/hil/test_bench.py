"""Testing boards of a bench: what is held and programmed, what is recorded, the table."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import replace

import pytest

from aot.boards.board import Usb
from aot.boards.loader import load_board
from aot.commands.firmware import link
from aot.compiler import CompileOptions, compile_model
from aot.hil import bench
from aot.hil.bench import Job, RemoteBoardError, Result, flash_and_test, flash_only, held, table
from aot.hil.lab import single
from aot.hil.labgrid_place import Place
from aot.hil.locks import Holder, PortBusyError, locked, port_key, probe_key
from aot.hil.ports import AmbiguousPortError, PortInfo
from aot.hil.record import ModelRecord, Record
from aot.hil.runner import device
from aot.hil.runners.errors import FlashError
from tests.support.models import DIGITS
from tests.support.native import gcc

HOST = load_board("host")
NUCLEO = load_board("nucleo_f446re")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The example's firmware for the host: folder, image, build id."""
    gcc()
    folder = tmp_path_factory.mktemp("firmware")
    model = compile_model(DIGITS.read_bytes(), "digits", CompileOptions("digits", HOST.ir_pools()))
    image, build_id = link(HOST, [model], folder)
    return folder, image.elf, build_id


@pytest.fixture
def job(built, tmp_path):
    """Makes the job of an entry, with records in the test's folder."""
    folder, image, build_id = built

    def make(entry, **changes):
        job = Job(
            entry,
            image,
            build_id,
            (folder / "generated" / "digits.json",),
            (DIGITS.with_suffix(".npz"),),
            tmp_path,
            "scons test",
        )
        return replace(job, **changes)

    return make


def record_in(folder):
    return json.loads((folder / "test.json").read_text())


def never(*args, **options):
    raise AssertionError("nothing is to be programmed")


def test_a_board_that_its_runner_starts(job, built, tmp_path):
    result = flash_and_test(job(single(HOST, None, None, None)), never, tmp_path)
    assert result.record.passed, result.text
    record = record_in(tmp_path)
    assert (record["verdict"], record["log"], record["message"]) == ("passed", [], "")
    assert record["build_id"] == built[2]
    (model,) = record["models"]
    assert (model["name"], model["runs"], model["wrong"]) == ("digits", 360, 0)
    # 354 of 360 labels, as the example's training script reports for LiteRT.
    assert model["accuracy"] == pytest.approx(354 / 360, abs=1e-6)
    assert model["ticks"] > 0 and model["hz"] == 1_000_000_000
    assert 'failures="0"' in (tmp_path / "test.xml").read_text()


def test_a_real_board_is_programmed_and_found_by_its_probe(job, built, tmp_path, monkeypatch):
    """The host's firmware stands in for the board behind a port that only its probe tells."""
    programmed = []

    def program(board, image, **options):
        programmed.append((board.name, image, options))
        return "programmed and verified"

    real = replace(single(HOST, "066C", None, None), runner="openocd")
    with device(HOST, built[1]) as name:
        ports = (PortInfo("/dev/other", "", "0671"), PortInfo(name, "", "066C"))
        monkeypatch.setattr(bench, "connected_ports", lambda: ports)
        result = flash_and_test(job(real), program, tmp_path)
    assert result.record.passed, result.text
    assert programmed == [("host", built[1], {"probe": "066C", "runner": "openocd"})]
    assert result.text.startswith("programmed and verified\n")
    assert (record_in(tmp_path)["probe"], record_in(tmp_path)["port"]) == ("066C", name)


def test_programming_alone_needs_no_port(built, tmp_path, monkeypatch):
    real = replace(single(HOST, "066C", None, None), runner="openocd")
    monkeypatch.setattr(bench, "connected_ports", lambda: ())
    said = flash_only(real, built[1], "scons flash", lambda *args, **options: options, tmp_path)
    assert said == "{'probe': '066C', 'runner': 'openocd'}"


def test_nothing_is_programmed_through_a_probe_of_another_board(built, tmp_path, monkeypatch):
    usb = Usb(0x0483, 0x374B, None)
    board = replace(HOST, console=replace(HOST.console, usb=usb))
    real = replace(single(board, None, None, None), runner="openocd")
    ports = tuple(PortInfo(f"/dev/ttyACM{i}", "", str(i), 0x0483, 0x374B) for i in range(2))
    monkeypatch.setattr(bench, "connected_ports", lambda: ports)
    with pytest.raises(AmbiguousPortError, match="2 ports of"):
        flash_only(real, built[1], "scons flash", never, tmp_path)
    remote = replace(real, place=Place("shelf", "host:20408"))
    with pytest.raises(RemoteBoardError, match="hangs at another machine"):
        flash_only(remote, built[1], "scons flash", never, tmp_path)


def test_a_failure_to_program_is_recorded(job, tmp_path):
    def program(board, image, **options):
        raise FlashError("verify failed", where="board host")

    real = replace(single(HOST, None, "/dev/null", None), runner="openocd")
    result = flash_and_test(job(real), program, tmp_path)
    assert isinstance(result.error, FlashError)
    record = record_in(tmp_path)
    assert (record["verdict"], record["models"]) == ("flash", [])
    assert "verify failed" in record["message"]
    assert "verify failed" in (tmp_path / "test.xml").read_text()


def test_another_build_leaves_what_was_said_on_the_wire(job, tmp_path):
    result = flash_and_test(
        job(single(HOST, None, None, None), build_id="0123456789abcdef"), never, tmp_path
    )
    assert not result.record.passed
    record = record_in(tmp_path)
    assert record["verdict"] == "wrong firmware"
    assert any("m-build-[" in line for line in record["log"])


def test_old_records_do_not_stay(job, tmp_path):
    for name in ("test.json", "test.xml"):
        (tmp_path / name).write_text("old")
    with pytest.raises(ZeroDivisionError):
        flash_and_test(
            job(replace(single(HOST, None, "/dev/null", None), runner="openocd")),
            lambda *args, **options: 1 // 0,
            tmp_path,
        )
    assert not [p for p in tmp_path.iterdir() if p.suffix in (".json", ".xml")]


@pytest.mark.parametrize("key", [probe_key("066C"), port_key("/dev/ttyACM7")])
def test_a_board_that_is_in_use(job, tmp_path, monkeypatch, key):
    monkeypatch.setattr(bench, "_WAIT_SECONDS", 0.2)
    entry = single(NUCLEO, "066C", "/dev/ttyACM7", None)
    with locked(key, Holder(4711, "nucleo_f446re", "scons flash"), 0, tmp_path):
        result = flash_and_test(job(entry), never, tmp_path)
    assert isinstance(result.error, PortBusyError)
    assert "process 4711 (scons flash)" in result.text
    assert record_in(tmp_path)["verdict"] == "port busy"
    with held(entry, "scons test", tmp_path) as port:
        assert port == "/dev/ttyACM7"


def test_boards_that_a_runner_starts_are_not_held(tmp_path):
    entry = single(HOST, None, None, None)
    with held(entry, "a", tmp_path) as first, held(entry, "b", tmp_path) as second:
        assert first is second is None


def test_two_jobs_of_one_board_take_turns(tmp_path):
    entry = single(NUCLEO, None, "/dev/ttyACM7", None)
    inside, most = [], []

    def work():
        with held(entry, "x", tmp_path):
            inside.append(os.getpid())
            most.append(len(inside))
            threading.Event().wait(0.1)
            inside.pop()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1, 1, 1]


def test_table():
    def result(entry, verdict, *models):
        record = Record("b", None, None, "", models, 3, verdict, "", ())
        return Result(entry, "", record)

    def model(runs, wrong):
        return ModelRecord("m", runs, wrong, 1, 1, 1, (), 1.25, None)

    entries = [
        replace(single(NUCLEO, "066C", "/dev/ttyACM0", None), name="nucleo_f446re@066C"),
        single(NUCLEO, None, "/dev/ttyACM1", None),
        single(HOST, None, None, None),
        replace(single(HOST, None, None, None), name="host@2"),
    ]
    results = [
        result(entries[2], "passed", model(10, 0)),
        result(entries[0], "wrong outputs", model(10, 0), model(20, 7)),
        result(entries[1], "no answer"),
    ]
    assert table(entries, results).splitlines() == [
        "board               where              verdict        right     seconds  retries",
        "nucleo_f446re@066C  066C /dev/ttyACM0  wrong outputs  23 of 30  2.5      3",
        "nucleo_f446re       /dev/ttyACM1       no answer      -         0.0      3",
        "host                native             passed         10 of 10  1.2      3",
        "host@2              native             not built      -         -        -",
        "1 of 4 passed",
    ]
