"""Constants go to tightly coupled memory where the board file has a pool there and a user asks."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from aot.boards.board import Board
from aot.boards.elf import read_sections
from aot.boards.loader import load_board
from aot.commands.firmware import link
from aot.compiler import CompiledModel, CompileOptions, compile_model
from aot.hil.testing import run_test
from aot.passes.usmp.assign_pool_info import PlacementRule
from aot.resources import data_dir
from tests.support.models import DIGITS

HOT = "  - {name: hot, region: dtcm, kind: constant, size_limit: 64K}\n"


@pytest.fixture
def board(tmp_path: Path) -> Board:
    """mps3-an547 with a further pool for constants, in DTCM; QEMU runs it."""
    text = (data_dir("boards") / "mps3-an547.yaml").read_text()
    text = text.replace("name: mps3-an547\n", "name: hot\n").replace("aliases: [an547]\n", "")
    assert text.count("stack_bytes:") == 1
    (tmp_path / "hot.yaml").write_text(text.replace("stack_bytes:", f"{HOT}stack_bytes:"))
    found = load_board("hot", [tmp_path])
    for program in (found.toolchain.compiler, "qemu-system-arm"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is missing")
    return found


def compiled(board: Board, placement: tuple[PlacementRule, ...]) -> CompiledModel:
    options = CompileOptions("digits", board.ir_pools(), placement=placement)
    return compile_model(DIGITS.read_bytes(), DIGITS.name, options)


def test_without_asking_constants_stay_in_flash(board: Board) -> None:
    plan = compiled(board, ()).module.plan
    assert plan is not None
    assert plan.bytes_used("itcm") > 3000
    assert plan.bytes_used("hot") == 0


def test_on_request_they_are_copied_and_the_answers_stay_the_same(
    board: Board, tmp_path: Path
) -> None:
    model = compiled(board, (PlacementRule("*", ("hot", "dtcm")),))
    plan = model.module.plan
    assert plan is not None
    assert plan.bytes_used("itcm") == 0
    image, build_id = link(board, [model], tmp_path)
    (hot,) = (s for s in read_sections(image.elf) if s.name == ".pool_hot")
    dtcm = board.memory.region("dtcm")
    assert dtcm.origin <= hot.address and hot.address + hot.size <= dtcm.end
    assert hot.size == plan.bytes_used("hot") > 3000
    # Filled by the model's init function, from flash.
    assert hot.load_address is None
    outcome = run_test(
        board,
        image.elf,
        build_id,
        [tmp_path / "generated" / "digits.json"],
        [DIGITS.with_suffix(".npz")],
        tmp_path / "test.xml",
    )
    assert outcome.passed, outcome.text
    assert "360 of 360 runs equal the reference bit for bit" in outcome.text
