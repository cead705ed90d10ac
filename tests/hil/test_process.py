"""Children do not outlive their context or their deadline, nor does what they started."""

from __future__ import annotations

import subprocess
import time

import pytest

from aot.hil.errors import StartError
from aot.hil.process import run, running
from tests.hil.processes import await_number, runs
from tests.hil.scripts import script

# What a child may do so that the end of its process group does not end its own child.
WAYS = {
    "plain": "sleep 60 &",
    "session": "setsid sleep 60 &",
    "deaf": "sh -c 'trap \"\" TERM; while :; do sleep 1; done' &",
    "deaf session": "setsid sh -c 'trap \"\" TERM; while :; do sleep 1; done' &",
}


@pytest.mark.parametrize("way", WAYS)
def test_children_do_not_outlive_the_context(tmp_path, way):
    child = tmp_path / "child"
    parent = script(tmp_path / "parent", f"{WAYS[way]} echo $! > {child}; wait")
    with running([str(parent)], subprocess.DEVNULL, subprocess.DEVNULL) as process:
        pid = await_number(child)
        assert runs(pid)
    assert process.returncode is not None
    assert not runs(pid)


@pytest.mark.parametrize("way", WAYS)
def test_children_left_behind_are_told_and_ended(tmp_path, way):
    child = tmp_path / "child"
    parent = script(tmp_path / "parent", f"{WAYS[way]} echo $! > {child}; echo done; exit 3")
    began = time.monotonic()
    finished = run([str(parent)], 30)
    assert time.monotonic() - began < 20
    pid = await_number(child)
    assert (finished.end, finished.status, finished.output) == ("exit", 3, "done\n")
    assert any(f"(process {pid})" in name for name in finished.left), finished
    assert not runs(pid)


def test_nothing_left(tmp_path):
    finished = run([str(script(tmp_path / "p", "echo out; echo err >&2; sleep 0.01 & exit 0"))], 30)
    assert finished.left == ()
    assert sorted(finished.output.split()) == ["err", "out"]


@pytest.mark.parametrize("way", WAYS)
def test_a_deadline_ends_all(tmp_path, way):
    child = tmp_path / "child"
    parent = script(tmp_path / "p", f"{WAYS[way]} echo $! > {child}; echo busy; exec sleep 60")
    finished = run([str(parent)], 0.5)
    assert (finished.end, finished.output) == ("deadline", "busy\n")
    assert finished.status != 0
    assert not runs(await_number(child))


def test_a_deadline_for_who_closes_its_output(tmp_path):
    finished = run([str(script(tmp_path / "p", "exec >&- 2>&-; exec sleep 60"))], 0.3)
    assert finished.end == "deadline"


def test_output_without_end():
    finished = run(["yes"], 30, most_output=10_000)
    assert finished.end == "flood"
    assert 10_000 < len(finished.output) < 200_000


def test_all_output_is_kept(tmp_path):
    program = script(tmp_path / "p", "seq 1 100000")
    assert run([str(program)], 30).output.split() == [str(n) for n in range(1, 100001)]


def test_input_and_locale(tmp_path):
    program = script(tmp_path / "p", "read line || echo none; echo $LANG $LC_ALL")
    assert run([str(program)], 30).output == "none\nC C\n"


def test_bytes_that_are_no_text(tmp_path):
    assert run([str(script(tmp_path / "p", "printf 'a\\377b'"))], 30).output == "a\ufffdb"


def test_a_program_that_is_none(tmp_path):
    broken = tmp_path / "p"
    broken.write_bytes(b"\x7fELF")
    broken.chmod(0o755)
    with pytest.raises(StartError, match="cannot be run: Exec format error"):
        run([str(broken)], 30)
    with pytest.raises(StartError, match="cannot be run: No such file"):
        run([str(tmp_path / "q")], 30)
