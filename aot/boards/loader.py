"""Finds board files by name or alias and loads them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from aot.boards.board import Board
from aot.boards.errors import BoardFileError, UnknownBoardError
from aot.boards.schema import BOARD_NAME, board_from
from aot.boards.yaml_reader import read_yaml, suggestion
from aot.resources import data_dir


def load_board_file(path: Path) -> Board:
    """The board that one file describes; the file is called after the board.

    Raises BoardFileError, which names the line and the key, where the file breaks the schema.
    """
    root = read_yaml(path)
    board = board_from(root, data_dir("firmware"))
    if path.stem != board.name:
        raise root.error(f"the board is called {board.name!r}, its file {path.name!r}")
    return board


def load_board(name: str, search: Sequence[Path] = ()) -> Board:
    """The board of that name or alias, from ``search`` or else from the boards that are built in.

    A board hides those of its name in later folders. Raises UnknownBoardError with the nearest
    name, and BoardFileError where the file breaks the schema.
    """
    files = _board_files(search)
    if name in files:
        return load_board_file(files[name])
    return _load_alias(name, files)


def board_names(search: Sequence[Path] = ()) -> tuple[str, ...]:
    """The names of all boards in ``search`` and built in, sorted."""
    return tuple(_board_files(search))


def _board_files(search: Sequence[Path]) -> dict[str, Path]:
    files: dict[str, Path] = {}
    for folder in (*search, data_dir("boards")):
        for path in folder.glob("*.yaml"):
            if BOARD_NAME.fullmatch(path.stem):
                files.setdefault(path.stem, path)
    return dict(sorted(files.items()))


def _load_alias(name: str, files: dict[str, Path]) -> Board:
    """The only board with the alias ``name``; broken files matter only where none has it."""
    boards: list[Board] = []
    broken: list[BoardFileError] = []
    for path in files.values():
        try:
            boards.append(load_board_file(path))
        except BoardFileError as error:
            broken.append(error)
    found = [b for b in boards if name in b.aliases]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(b.name for b in found)
        raise UnknownBoardError(f"alias {name!r} belongs to several boards", remedy=f"say {names}")
    aside = f" ({broken[0]})" if broken else ""
    aliases = [a for b in boards for a in b.aliases]
    raise UnknownBoardError(
        f"unknown board {name[:48]!r}{aside}", remedy=suggestion(name, [*files, *aliases])
    )
