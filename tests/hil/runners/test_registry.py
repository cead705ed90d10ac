"""The registry against the board files: names, defaults, and a command line for every pair."""

from __future__ import annotations

from pathlib import Path

import pytest

from aot.boards.loader import board_names, load_board
from aot.boards.schema import RUNNER_NAMES
from aot.hil.runners.errors import NoRunnerError, RunnerError
from aot.hil.runners.qemu import QemuRunner
from aot.hil.runners.registry import FLASHERS, RUNNERS, STARTERS, flasher, starter
from aot.hil.runners.tool import ToolRunner

BY_NAME = {runner.name: runner for runner in RUNNERS}
ENTRIES = [
    (name, entry.name) for name in board_names() for entry in load_board(name).runners.entries
]


def test_the_schema_and_the_registry_name_the_same_runners():
    assert sorted(BY_NAME) == sorted(RUNNER_NAMES)
    assert len(BY_NAME) == len(RUNNERS)


def test_capabilities_are_what_the_runners_do():
    for runner in RUNNERS:
        assert runner.capabilities.flashes == hasattr(runner, "flash") == (runner in FLASHERS)
        assert runner.capabilities.starts == hasattr(runner, "start") == (runner in STARTERS)


def test_every_runner_is_tested_in_a_file_of_its_own():
    for name in RUNNER_NAMES:
        assert Path(__file__).with_name(f"test_{name}.py").is_file()


@pytest.mark.parametrize("name", board_names())
def test_the_default_flashes_or_starts(name):
    board = load_board(name)
    chosen = BY_NAME[board.runners.default]
    assert chosen.capabilities.flashes or chosen.capabilities.starts
    if chosen.capabilities.flashes:
        assert flasher(board, None) is chosen
    else:
        assert flasher(board, None) is None
        assert starter(board) is chosen


@pytest.mark.parametrize(("name", "runner"), ENTRIES)
def test_every_pair_has_a_command_line(name, runner):
    board, chosen = load_board(name), BY_NAME[runner]
    image = Path(f"/out/{name}/firmware.{chosen.capabilities.needs}")
    if isinstance(chosen, ToolRunner):
        entry = next(e for e in board.runners.entries if e.name == runner)
        for probe in (None, "0123ABCD"):
            for argv in chosen.argv(board, image, probe):
                assert argv[0] == chosen.program.name
                assert ("0123ABCD" in " ".join(argv)) == (probe is not None)
                # The board's own arguments stand together and in order.
                assert any(
                    tuple(argv[i : i + len(entry.args)]) == entry.args for i in range(len(argv))
                )
        named = " ".join(chosen.argv(board, image, None)[0])
        assert str(image) in named or str(image.with_suffix(".jlink")) in named
    elif isinstance(chosen, QemuRunner):
        argv = chosen.argv(board, image, False)
        assert argv[0] == chosen.programs(board)[0].name and str(image) in argv
    assert all(p.remedy.startswith("install ") for p in chosen.programs(board))


def test_a_runner_that_the_board_has_not():
    board = load_board("nucleo_f446re")
    with pytest.raises(RunnerError, match="board nucleo_f446re: has no runner `openocs`; did you"):
        flasher(board, "openocs")
    with pytest.raises(RunnerError, match="it has openocd, stlink, jlink, stm32cubeprogrammer"):
        flasher(board, "uf2")


def test_a_runner_that_does_not_start_the_board():
    with pytest.raises(NoRunnerError, match="choose a board that qemu or native starts"):
        starter(load_board("stm32f746"))
