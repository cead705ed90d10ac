"""Boards behind a coordinator and an exporter of labgrid on this machine."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from aot.hil import labgrid_place
from aot.hil.bench import flash_and_test
from aot.hil.errors import ProgramMissingError
from aot.hil.lab import Place, read_lab
from aot.hil.labgrid_place import PlaceError, acquired
from aot.hil.runner import device
from tests.hil.network import build, free_port, serial_server, wait_for
from tests.hil.scripts import script
from tests.support.models import DIGITS

NAMES = ("mps2-an386", "qemu-riscv32", "microbit")


def program(name):
    found = Path(sys.executable).with_name(name)
    if not found.is_file():
        pytest.skip("needs labgrid")
    return str(found)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return {name: build(name, tmp_path_factory.mktemp(name)) for name in NAMES}


class Shelf:
    """A coordinator and one exporter."""

    def __init__(self, stack, folder):
        self._stack, self._folder = stack, folder
        self.port = free_port()
        self.coordinator = f"127.0.0.1:{self.port}"
        wait_for(self.port, self._run("labgrid-coordinator", "--listen", self.coordinator))

    def _run(self, name, *args):
        with (self._folder / f"{name}.log").open("wb") as log:
            child = subprocess.Popen(
                [program(name), *args], stdout=log, stderr=log, cwd=self._folder
            )
        self._stack.callback(lambda: (child.terminate(), child.wait(20)))
        return child

    def export(self, resources):
        (self._folder / "shelf.yaml").write_text(json.dumps(resources))
        exporter = ["--coordinator", self.coordinator, "--name", "shelf", "--hostname", "127.0.0.1"]
        self._run("labgrid-exporter", *exporter, str(self._folder / "shelf.yaml"))
        for name in resources:
            self.client("--place", name, "create")
            self.client("--place", name, "add-match", f"shelf/{name}/*")
        deadline = time.monotonic() + 30
        while not all(f"shelf/{n}/" in self.client("resources") for n in resources):
            assert time.monotonic() < deadline, "the exporter does not appear"
            time.sleep(0.2)

    def client(self, *args):
        command = [program("labgrid-client"), "--coordinator", self.coordinator, *args]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def shelf(tmp_path):
    with ExitStack() as stack:
        yield Shelf(stack, tmp_path)


def test_three_boards_at_once(built, shelf, tmp_path):
    """Each emulator behind a serial server, which the exporter offers as it would a hub's ports."""
    resources, lab = {}, []
    with ExitStack() as stack:
        for name in NAMES:
            console = stack.enter_context(device(built[name].board, built[name].image))
            port = stack.enter_context(serial_server(console, ""))
            params = {"host": "127.0.0.1", "port": port, "protocol": "raw"}
            resources[name] = {"NetworkSerialPort": params}
            lab.append(
                f"- connected: true\n  platform: {name}\n"
                f"  labgrid: {{place: {name}, coordinator: '{shelf.coordinator}'}}\n"
            )
        shelf.export(resources)
        (tmp_path / "lab.yaml").write_text("".join(lab))
        entries = read_lab(tmp_path / "lab.yaml")
        results = {}

        def work(entry):
            job = built[entry.name].job(entry, tmp_path / entry.name)
            results[entry.name] = flash_and_test(job, _never, tmp_path)

        threads = [threading.Thread(target=work, args=(entry,)) for entry in entries]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for name in NAMES:
        assert results[name].record.passed, results[name].text
        assert f"digits on {name} on socket://127.0.0.1:" in results[name].text
        assert "360 of 360 runs" in results[name].text
    assert "acquired: None" in shelf.client("--place", "microbit", "show")


def test_a_port_that_the_exporter_serves(built, shelf, tmp_path):
    """The exporter starts ser2net itself, which speaks RFC 2217."""
    board = built["mps2-an386"]
    with device(board.board, board.image) as console:
        shelf.export({"left": {"RawSerialPort": {"port": console, "speed": 115200}}})
        (tmp_path / "lab.yaml").write_text(
            "- connected: true\n  platform: mps2-an386\n"
            f"  labgrid: {{place: left, coordinator: '{shelf.coordinator}'}}\n"
        )
        (entry,) = read_lab(tmp_path / "lab.yaml")
        # labgrid's ser2net waits for full packets, which makes each answer slow.
        with np.load(DIGITS.with_suffix(".npz")) as vectors:
            np.savez(tmp_path / "few.npz", in0=vectors["in0"][:30], out0=vectors["out0"][:30])
        job = replace(board.job(entry, tmp_path / "out"), vectors=(tmp_path / "few.npz",))
        result = flash_and_test(job, _never, tmp_path)
    assert result.record.passed, result.text
    assert "on rfc2217://127.0.0.1:" in result.text
    assert "30 of 30 runs" in result.text


def test_places_that_cannot_be_had(shelf):
    port = {"NetworkSerialPort": {"host": "::1", "port": 4000, "protocol": "raw"}}
    shelf.export({"held": port, "bare": {"NetworkService": {"address": "h", "username": "u"}}})
    with acquired(Place("held", shelf.coordinator)) as url:
        assert url == "socket://[::1]:4000"
        with (
            pytest.raises(PlaceError, match=r"refuses to acquire: .*already acquired place held"),
            acquired(Place("held", shelf.coordinator)),
        ):
            pass
    with (
        pytest.raises(PlaceError, match=r"place nosuch at .*matches nothing"),
        acquired(Place("nosuch", shelf.coordinator)),
    ):
        pass
    with (
        pytest.raises(PlaceError, match="has 0 network serial ports"),
        acquired(Place("bare", shelf.coordinator)),
    ):
        pass
    for name in ("held", "bare"):
        assert "acquired: None" in shelf.client("--place", name, "show")


def test_no_coordinator():
    program("labgrid-client")
    address = f"127.0.0.1:{free_port()}"
    with pytest.raises(PlaceError, match=f"place a at {address}"), acquired(Place("a", address)):
        pass


def test_without_labgrid(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with (
        pytest.raises(ProgramMissingError, match=r"pip install 'microaot\[labgrid\]'"),
        acquired(Place("a", "h:1")),
    ):
        pass


@pytest.mark.parametrize(
    ("env", "message"),
    [
        ("", "describes it in another form"),
        ("targets: {}", "describes it in another form"),
        ("targets: {a: {resources: [NetworkSerialPort: {host: h, port: null}]}}", "another form"),
        (
            "targets: {a: {resources: [NetworkSerialPort: {host: h, port: 1, protocol: x}]}}",
            "its port speaks x",
        ),
    ],
)
def test_what_the_client_may_say(monkeypatch, tmp_path, env, message):
    script(tmp_path / "labgrid-client", f"[ $5 = env ] && echo '{env}'; exit 0")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(PlaceError, match=message), acquired(Place("a", "h:1")):
        pass


def test_a_client_that_hangs(monkeypatch, tmp_path):
    script(tmp_path / "labgrid-client", "exec sleep 60")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(labgrid_place, "_SECONDS", 0.2)
    with pytest.raises(PlaceError, match="does not answer within"), acquired(Place("a", "h:1")):
        pass


def _never(*args, **options):
    raise AssertionError("a place runs what was programmed there")
