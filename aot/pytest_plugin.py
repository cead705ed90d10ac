"""pytest fixtures for boards: `board`, `firmware` and `console`, by --microaot-board or -lab."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from aot.boards.board import Board
from aot.boards.loader import load_board
from aot.commands.firmware import link
from aot.compiler import CompileOptions, compile_model
from aot.errors import MicroaotError
from aot.hil.bench import held
from aot.hil.flash import flash
from aot.hil.lab import LabEntry, read_lab, single
from aot.hil.runner import start
from aot.hil.session import Session
from aot.names import module_name


class OptionError(MicroaotError):
    """--microaot options that name no single board or no model."""


@dataclass(frozen=True)
class Firmware:
    """A linked firmware of one model: what runs, and the id that it must answer with."""

    image: Path
    build_id: str
    metadata: Path


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options; without them the fixtures skip."""
    group = parser.getgroup("microaot", "boards and models of microaot")
    group.addoption("--microaot-board", metavar="B", help="board name, or an entry of the lab file")
    group.addoption("--microaot-lab", metavar="LAB", help="lab file, a hardware map of twister")
    group.addoption("--microaot-model", metavar="MODEL", help=".tflite file of the firmware")


@pytest.fixture(scope="session")
def microaot_entry(pytestconfig: pytest.Config) -> LabEntry:
    """The board to test on and where it hangs."""
    name, lab = (pytestconfig.getoption(f"--microaot-{o}") for o in ("board", "lab"))
    if lab is None:
        if name is None:
            pytest.skip("needs --microaot-board or --microaot-lab")
        return single(load_board(name), None, None, None)
    entries = read_lab(Path(lab))
    fitting = [e for e in entries if name in (None, e.name, e.board.name, *e.board.aliases)]
    if len(fitting) != 1:
        raise OptionError(
            f"{len(fitting)} boards of the lab fit where one is needed",
            where=f"--microaot-lab {lab}",
            remedy=f"say --microaot-board, one of {', '.join(e.name for e in entries)}",
        )
    return fitting[0]


@pytest.fixture(scope="session")
def board(microaot_entry: LabEntry) -> Board:
    """The board that the options name."""
    return microaot_entry.board


@pytest.fixture(scope="session")
def firmware(
    board: Board, pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Firmware:
    """The firmware of --microaot-model, built for the board."""
    option = pytestconfig.getoption("--microaot-model")
    if option is None:
        pytest.skip("needs --microaot-model")
    path = Path(option)
    if not path.is_file():
        raise OptionError("there is no such model", where=f"--microaot-model {path}")
    name = module_name(path.stem)
    model = compile_model(path.read_bytes(), path.name, CompileOptions(name, board.ir_pools()))
    folder = tmp_path_factory.mktemp("microaot")
    image, build_id = link(board, [model], folder)
    return Firmware(image.elf, build_id, folder / "generated" / f"{name}.json")


@pytest.fixture
def console(microaot_entry: LabEntry, board: Board, firmware: Firmware) -> Iterator[Session]:
    """A session with the firmware on the board, in step and of the right build."""
    entry = microaot_entry
    with held(entry, "pytest") as port:
        if entry.is_programmed:
            flash(board, firmware.image, probe=entry.probe, runner=entry.runner)
        with start(board, firmware.image, port=port) as opened:
            session = Session(opened, board.timeout_multiplier)
            session.sync()
            session.check(board.name, firmware.build_id)
            yield session
