"""Boards are found by name and alias, and the built-in ones are sound."""

from __future__ import annotations

from pathlib import Path

import pytest

from aot.boards.board import Pin
from aot.boards.errors import BoardFileError, UnknownBoardError
from aot.boards.loader import board_names, load_board, load_board_file
from aot.ir.pools import PoolKind
from aot.resources import data_dir

ALL = board_names()


def board_text(name: str, title: str = "", aliases: str = "") -> str:
    text = (data_dir("boards") / "host.yaml").read_text()
    text = text.replace("name: host\n", f"name: {name}\n").replace("[native]\n", f"[{aliases}]\n")
    return text.replace("title: Native program", f"title: {title}") if title else text


def test_the_built_in_boards() -> None:
    assert (
        *("b_l475e_iot01a", "hifive1_revb", "host", "microbit"),
        *("mps2-an385", "mps2-an386", "mps2-an500", "mps2-an505", "mps3-an547", "netduinoplus2"),
        *("nrf52840dk", "nrf5340dk", "nucleo_f446re", "nucleo_f746zg", "nucleo_g0b1re"),
        *("nucleo_h743zi2", "nucleo_l4r5zi", "nucleo_u575zi_q", "qemu-riscv32", "rpi_pico"),
        *("rpi_pico2", "stm32f4discovery", "stm32f746", "stm32vldiscovery"),
    ) == ALL


@pytest.mark.parametrize("name", ALL)
def test_a_built_in_board_is_sound(name: str) -> None:
    board = load_board(name)
    assert board.name == name
    kinds = {pool.kind for pool in board.ir_pools()}
    assert kinds == {PoolKind.WORKSPACE, PoolKind.CONSTANT}
    for pool in board.pools:
        region = board.memory.region(pool.region)
        assert 0 < board.pool_bytes(pool) <= region.size
        assert region.origin % pool.alignment == 0


def test_names_and_aliases_are_unique() -> None:
    names = [n for name in ALL for n in (name, *load_board(name).aliases)]
    assert sorted(names) == sorted(set(names))


def test_the_discovery_board_is_what_its_manual_says() -> None:
    board = load_board("stm32f746g-disco")
    assert board.name == "stm32f746"
    sizes = {r.name: (r.origin, r.size // 1024) for r in board.memory.regions}
    assert sizes == {
        "flash": (0x08000000, 1024),
        "dtcm": (0x20000000, 64),
        "sram1": (0x20010000, 240),
        "sram2": (0x2004C000, 16),
        "qspi": (0x90000000, 16384),
    }
    assert board.console.base == 0x40011000
    assert (board.console.pins.tx, board.console.pins.rx) == (Pin(0, 9, 7), Pin(1, 7, 7))


def test_a_folder_of_ones_own_comes_first(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(board_text("mine", aliases="my-board"))
    (tmp_path / "host.yaml").write_text(board_text("host", title="My host"))
    (tmp_path / "Read me.yaml").write_text("not a board")
    assert board_names([tmp_path]) == tuple(sorted((*ALL, "mine")))
    assert load_board("mine", [tmp_path]).name == "mine"
    assert load_board("my-board", [tmp_path]).name == "mine"
    assert load_board("host", [tmp_path]).title == "My host"
    assert load_board("host").title == "Native program"


def test_an_unknown_board_is_answered_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownBoardError) as caught:
        load_board("stm32f764")
    assert str(caught.value).startswith(
        "unknown board 'stm32f764'; did you mean 'stm32f746'? valid: b_l475e_iot01a, hifive1_revb"
    )


@pytest.mark.parametrize("name", ["../boards/host", "host.yaml", "/etc/passwd", "", "HOST"])
def test_a_name_is_no_path(name: str) -> None:
    with pytest.raises(UnknownBoardError):
        load_board(name)


def test_a_broken_file_hides_no_other_board(tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text("name: broken\n")
    assert load_board("stm32f746g-disco", [tmp_path]).name == "stm32f746"
    with pytest.raises(BoardFileError, match=r"broken\.yaml:1: lacks the key 'title'"):
        load_board("broken", [tmp_path])
    with pytest.raises(UnknownBoardError, match=r"unknown board 'nosuch' .*broken\.yaml:1: lacks"):
        load_board("nosuch", [tmp_path])


def test_an_alias_of_two_boards_is_refused(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.yaml").write_text(board_text(name, aliases="both"))
    with pytest.raises(UnknownBoardError, match="'both' belongs to several boards; say one, two"):
        load_board("both", [tmp_path])


def test_a_file_is_called_after_its_board(tmp_path: Path) -> None:
    path = tmp_path / "other.yaml"
    path.write_text(board_text("mine"))
    with pytest.raises(BoardFileError, match=r"called 'mine', its file 'other\.yaml'"):
        load_board_file(path)
