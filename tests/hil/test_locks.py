"""Locks: between threads, between processes, after a crash, and in a folder of somebody else."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from contextlib import ExitStack

import pytest

from aot.hil.locks import (
    Holder,
    LockFolderError,
    PortBusyError,
    lock_folder,
    locked,
    port_key,
    probe_key,
)

ME = Holder(os.getpid(), "nucleo_f446re", "scons BOARD=nucleo_f446re test")
HOLD = """\
import sys
from pathlib import Path
from aot.hil.locks import Holder, locked
with locked(sys.argv[1], Holder({pid}, "rpi_pico", "scons\\ntest"), 0, Path(sys.argv[2])):
    print("held", flush=True)
    sys.stdin.read()
    {end}
"""


@pytest.fixture
def other(tmp_path):
    """Starts a process that holds a lock until its input ends; ``end`` is how it goes."""
    with ExitStack() as stack:

        def start(key, end="pass"):
            code = HOLD.format(pid="__import__('os').getpid()", end=end)
            child = subprocess.Popen(
                [sys.executable, "-c", code, key, str(tmp_path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            stack.callback(_end, child)
            assert child.stdout.readline() == "held\n"
            return child

        yield start


def _end(child):
    child.kill()
    child.wait()
    child.stdout.close()


def take(key, folder, seconds=0.0):
    with locked(key, ME, seconds, folder):
        return True


def test_another_process_is_named(other, tmp_path, caplog):
    child = other("port /dev/ttyACM0")
    with pytest.raises(PortBusyError) as caught, caplog.at_level(logging.WARNING):
        take("port /dev/ttyACM0", tmp_path, 0.35)
    assert f"process {child.pid} (scons test), which drives rpi_pico" in str(caught.value)
    assert "port /dev/ttyACM0: is held by" in str(caught.value)
    assert len(caplog.records) == 1
    assert take("port /dev/ttyACM1", tmp_path)


def test_waits_until_the_other_ends(other, tmp_path):
    child = other("probe 066c")
    threading.Timer(0.3, child.stdin.close).start()
    started = time.monotonic()
    assert take("probe 066c", tmp_path, 20)
    assert time.monotonic() - started > 0.2


def test_a_holder_that_crashes_lets_go(other, tmp_path):
    child = other("probe 066c", end="import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    child.stdin.close()
    assert take("probe 066c", tmp_path, 20)


def test_threads_exclude_each_other(tmp_path):
    inside, most = [], []

    def work():
        with locked("port x", ME, 20, tmp_path):
            inside.append(1)
            most.append(len(inside))
            time.sleep(0.05)
            inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1, 1, 1, 1]


def test_children_do_not_inherit_the_lock(tmp_path):
    with locked("port x", ME, 0, tmp_path):
        child = subprocess.Popen(["sleep", "30"], close_fds=False)
    try:
        assert take("port x", tmp_path)
    finally:
        child.kill()
        child.wait()


def test_a_link_is_its_device(tmp_path):
    device, link = tmp_path / "ttyACM0", tmp_path / "board"
    device.touch()
    link.symlink_to(device)
    assert port_key(str(link)) == port_key(str(device))
    assert port_key("socket://h:1") != port_key("socket://h:2")
    assert probe_key("066C") == probe_key("066c")


@pytest.mark.parametrize("key", ["port ../../x", "port /a/b", "port a b", "port " + "x" * 5000])
def test_no_key_leaves_the_folder(tmp_path, key):
    folder = tmp_path / "locks"
    folder.mkdir()
    assert take(key, folder)
    assert take(key + "y", folder)
    assert len(list(folder.iterdir())) == 2
    assert [p.name for p in tmp_path.iterdir()] == ["locks"]


def test_the_folder_is_the_users_own(tmp_path):
    folder = lock_folder(tmp_path)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert lock_folder(tmp_path) == folder
    folder.chmod(0o777)
    with pytest.raises(LockFolderError, match="this user's alone"):
        lock_folder(tmp_path)


def test_a_folder_that_is_a_link(tmp_path):
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / f"microaot-{os.getuid()}").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(LockFolderError, match="this user's alone"):
        lock_folder(tmp_path)


def test_a_folder_that_cannot_be_made(tmp_path):
    with pytest.raises(LockFolderError, match="cannot be made"):
        lock_folder(tmp_path / "no")
