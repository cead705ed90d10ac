"""Running a flasher: its surroundings, its log, its deadline and what it leaves behind."""

from __future__ import annotations

import pytest

from aot.hil.runners.errors import FlashError, FlashFloodsError, FlashHangsError
from tests.hil.processes import await_end
from tests.hil.runners.bench import Bench


@pytest.fixture
def bench(tmp_path, monkeypatch):
    line = "Open On-Chip Debugger 0.12.0"
    return Bench(tmp_path, monkeypatch, "stm32f746", "openocd", "openocd", line)


def test_the_input_is_closed(bench):
    bench.does("read line && exit 9; echo '** Verified OK **'")
    assert "programmed" in bench.flash()


def test_the_program_speaks_english(bench):
    bench.does("echo $LANG $LC_ALL; echo '** Verified OK **'").flash()
    assert "\nC C\n" in bench.log


def test_a_program_that_hangs(bench):
    bench.does(f"echo busy; echo $$ > {bench.folder}/pid; trap '' TERM; while :; do sleep 1; done")
    with pytest.raises(FlashHangsError, match=r"did not end within 0\.5 s, its last words: busy"):
        bench.flash(seconds=0.5)
    await_end(int((bench.folder / "pid").read_text()))
    assert "busy" in bench.log


def test_a_program_that_prints_without_end(bench):
    bench.does("yes")
    with pytest.raises(FlashFloodsError, match="prints without end"):
        bench.flash()


@pytest.mark.parametrize("way", ["", "setsid "])
def test_a_child_left_behind(bench, way):
    pid = bench.folder / "pid"
    bench.does(f"{way}sh -c 'echo $$ > {pid}; exec sleep 60' & sleep 0.2; echo '** Verified OK **'")
    assert bench.flash().splitlines() == [
        "stm32f746 programmed and verified by openocd",
        f"openocd left sleep (process {int(pid.read_text())}) running",
    ]
    await_end(int(pid.read_text()))


def test_every_attempt_has_its_own_log(bench):
    with pytest.raises(FlashError):
        bench.says("first", 1).flash()
    bench.says("** Verified OK **").flash()
    assert "first" not in bench.log and "Verified" in bench.log


def test_a_log_that_cannot_be_written(bench):
    bench.says("** Verified OK **")
    (bench.elf.parent / "flash.log").mkdir()
    with pytest.raises(FlashError, match=r"flash\.log: cannot be written: Is a directory"):
        bench.flash()
