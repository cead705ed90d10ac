"""Serving ends when it is told to, or when the port is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from aot.hil.errors import PortError
from aot.hil.serving import NotInterruptibleError, serve
from tests.support.models import ROOT
from tests.support.native import gcc


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_end_it_and_keep_their_handlers(number, tmp_path):
    port = tmp_path / "port"
    port.touch()
    before = signal.getsignal(number)
    serve(str(port), lambda: os.kill(os.getpid(), number))
    assert signal.getsignal(number) is before


def test_a_port_that_vanishes(tmp_path):
    with pytest.raises(PortError, match="the port vanished; start the board again"):
        serve(str(tmp_path / "port"), lambda: None)


def test_beside_other_jobs(tmp_path):
    port = tmp_path / "port"
    port.touch()
    caught = []

    def attempt():
        with pytest.raises(NotInterruptibleError) as error:
            serve(str(port), lambda: None)
        caught.append(str(error.value))

    thread = threading.Thread(target=attempt)
    thread.start()
    thread.join(10)
    assert caught == [f"{port}: cannot be interrupted beside other jobs; leave out -j"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_scons_serves_until_it_is_interrupted(number, tmp_path):
    gcc()
    for name in ("aot", "boards", "firmware", "site_scons", "examples", "SConstruct"):
        (tmp_path / name).symlink_to(ROOT / name)
    command = [sys.executable, "-m", "SCons", "-Q", "BOARD=host", "MLPERF=ic01", "serve"]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            words = next(line for line in process.stdout if "answers on" in line).split()
            port = Path(words[words.index("on") + 1])
            assert words[0] == "host" and port.exists()
            process.send_signal(number)
            process.wait(20)
        finally:
            process.kill()
    assert process.returncode == 0
    deadline = time.monotonic() + 5
    while port.exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
