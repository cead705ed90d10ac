"""Children do not outlive their context."""

from __future__ import annotations

import os
import time
from pathlib import Path

from aot.hil.process import running
from tests.hil.scripts import script


def test_children_do_not_outlive_the_context(tmp_path):
    child = tmp_path / "child"
    parent = script(tmp_path / "parent", f"sleep 60 & echo $! > {child}; wait")
    with running([str(parent)], os.open(os.devnull, os.O_RDONLY), os.open(os.devnull, os.O_WRONLY)):
        deadline = time.monotonic() + 10
        while not (child.exists() and child.read_text().strip()):
            assert time.monotonic() < deadline
            time.sleep(0.01)
    pid = int(child.read_text())
    deadline = time.monotonic() + 10
    while Path(f"/proc/{pid}").exists() and "State:\tZ" not in _status(pid):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _status(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return "State:\tZ"
