"""A runner's search for USB ports finds the named port, and its script runs as it would alone."""

from __future__ import annotations

import subprocess
import sys

from tests.support.models import ROOT

MAIN = """\
import os, sys
from serial.tools import list_ports
from helper import WORD
if __name__ == "__main__":
    (port,) = list_ports.comports(True)
    print(port.device, f"{port.vid:04x}:{port.pid:04x}", port.description)
    print(WORD, os.getcwd(), sys.argv[1:])
"""


def launch(*arguments, folder):
    command = [sys.executable, str(ROOT / "tools" / "mlperf_runner.py"), *map(str, arguments)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_port_is_found_and_the_script_has_its_own_folder_and_arguments(tmp_path):
    runner = tmp_path / "runner"
    runner.mkdir()
    (runner / "main.py").write_text(MAIN)
    (runner / "helper.py").write_text('WORD = "beside"\n')
    port = tmp_path / "port"
    port.touch()
    here = tmp_path / "here"
    here.mkdir()
    result = launch(port, "../runner", "-d", "devices.yaml", "--mode=a", folder=here)
    assert result.returncode == 0, result.stderr
    found, ran = result.stdout.splitlines()
    # What the runner's device lists call the board under test.
    assert found.startswith(f"{port} 0483:374b ")
    assert ran == f"beside {here} ['-d', 'devices.yaml', '--mode=a']"


def test_bad_calls(tmp_path):
    (tmp_path / "main.py").write_text("")
    for arguments, message in [
        ((tmp_path / "port", tmp_path), "there is no port"),
        ((tmp_path / "main.py", tmp_path / "other"), "has no main.py"),
    ]:
        result = launch(*arguments, folder=tmp_path)
        assert result.returncode == 2 and message in result.stderr
