"""The targets that boards name to pyOCD exist there."""

from __future__ import annotations

import pytest
from pyocd.target import TARGET

from aot.boards.loader import board_names, load_board


def targets() -> list[tuple[str, str]]:
    """Boards that pyOCD runs, and the targets they name."""
    found = []
    for name in board_names():
        for runner in load_board(name).runners.entries:
            if runner.name == "pyocd":
                found.append((name, runner.args[runner.args.index("--target") + 1]))
    return found


def test_some_boards_run_with_pyocd() -> None:
    assert targets() != []


@pytest.mark.parametrize(("name", "target"), targets())
def test_the_target_is_built_in(name: str, target: str) -> None:
    # What only a CMSIS-Pack brings would have to be installed by hand.
    assert target in TARGET
    memory = load_board(name).memory
    code = TARGET[target].MEMORY_MAP.get_region_for_address(memory.region(memory.code).origin)
    assert code is not None and code.is_flash
