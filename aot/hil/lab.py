"""The lab file: which board hangs where, as a hardware map of Zephyr's twister."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from aot.boards.board import Board
from aot.boards.errors import UnknownBoardError
from aot.boards.loader import load_board
from aot.boards.yaml_reader import Value, optional, read_yaml
from aot.hil.errors import HilError
from aot.hil.runners.registry import STARTERS

STARTING = tuple(r.name for r in STARTERS)
"""Runners that start the board themselves and tell its console."""

_OURS = ("id", "probe_id", "runner", "serial", "serial_pty", "baud", "labgrid")
# What twister knows besides and nothing here needs.
_IGNORED = (
    *("available", "fixtures", "flash_before", "flash_timeout", "flash_with_test", "notes"),
    *("post_flash_script", "post_script", "pre_script", "product", "runner_params"),
    *("script_param",),
)
_ADDRESS = re.compile(r"[A-Za-z0-9.\-\[\]:]+:[0-9]{1,5}")
_MAX_BAUD = 12_000_000


class LabError(HilError):
    """A lab file in which no board is connected."""


@dataclass(frozen=True)
class Place:
    """A board on another host: labgrid's place and its coordinator, HOST:PORT."""

    name: str
    coordinator: str


@dataclass(frozen=True)
class LabEntry:
    """One board of a bench. ``name`` is its own; ``probe`` is a serial number, ``port`` a device
    or URL, ``runner`` what programs or starts it."""

    name: str
    board: Board
    probe: str | None
    port: str | None
    runner: str
    place: Place | None = None

    @property
    def starts(self) -> bool:
        """Whether the runner brings the board to life, so there is nothing to find or flash."""
        return self.runner in STARTING

    @property
    def is_programmed(self) -> bool:
        """Whether its firmware is written to it from here."""
        return not self.starts and self.place is None

    @property
    def identity(self) -> str:
        """Where it hangs, for tables."""
        if self.place is not None:
            return f"{self.place.name} at {self.place.coordinator}"
        return " ".join(part for part in (self.probe, self.port) if part) or self.runner


def single(board: Board, probe: str | None, port: str | None, runner: str | None) -> LabEntry:
    """The entry of a board that is named without a lab file."""
    return LabEntry(board.name, board, probe, port, runner or board.runners.default)


def read_lab(path: Path, search: Sequence[Path] = ()) -> tuple[LabEntry, ...]:
    """The connected boards of a lab file, each with a name of its own; ``search`` has folders of
    further board files.

    Raises BoardFileError with file, line and key, or LabError where no board is connected.
    """
    entries = [e for item in read_yaml(path).items() if (e := _entry(item, search)) is not None]
    if not entries:
        raise LabError(
            "no board is connected", where=str(path), remedy="set `connected: true` on one"
        )
    _refuse_shared(entries)
    return _named([entry for _, entry in entries])


def _entry(item: Value, search: Sequence[Path]) -> tuple[dict[str, Value], LabEntry] | None:
    f = item.fields(("connected", "platform"), (*_OURS, *_IGNORED))
    f = {key: value for key, value in f.items() if not _is_null(value)}
    if "connected" not in f or not f["connected"].flag():
        return None
    if "platform" not in f:
        raise item.error("a connected board needs a platform")
    board = _board(f["platform"], search)
    if "serial_pty" in f:
        raise f["serial_pty"].error(
            "ports behind a program are not supported", "name the device or URL as `serial`"
        )
    if "baud" in f:
        # The firmware is built for this entry, so both ends take the bench's speed.
        baud = f["baud"].integer(300, _MAX_BAUD)
        board = replace(board, console=replace(board.console, baud=baud))
    valid = [r.name for r in board.runners.entries]
    number = f.get("probe_id", f.get("id"))
    return f, LabEntry(
        name=board.name,
        board=board,
        probe=None if number is None else number.line(),
        port=optional(f, "serial", Value.line, None),
        runner=optional(
            f, "runner", lambda v: v.choice(valid, f"runner of {board.name}"), board.runners.default
        ),
        place=optional(f, "labgrid", _place, None),
    )


def _is_null(value: Value) -> bool:
    """Whether nothing stands there: twister writes `serial: null`."""
    return bool(value.node.tag == "tag:yaml.org,2002:null")


def _board(value: Value, search: Sequence[Path]) -> Board:
    """The board of Zephyr's `name/qualifiers`, alone or in a list of variants of one board."""
    if isinstance(value.node, yaml.SequenceNode):
        names = [v.line() for v in value.items()]
    else:
        names = value.line().split()
    boards = [_load(value, name, search) for name in names]
    if not boards:
        raise value.error("names no board")
    if len({b.name for b in boards}) > 1:
        raise value.error("names several boards", "write an entry for each")
    return boards[0]


def _load(value: Value, name: str, search: Sequence[Path]) -> Board:
    try:
        return load_board(re.split("[/@]", name)[0], search)
    except UnknownBoardError as error:
        raise value.error(error.why, error.remedy) from None


def _place(value: Value) -> Place:
    f = value.fields(("place", "coordinator"))
    address = f["coordinator"].matching(_ADDRESS, "a host and a port such as lab:20408")
    return Place(f["place"].line(), address)


def _refuse_shared(entries: Sequence[tuple[dict[str, Value], LabEntry]]) -> None:
    """Two boards share neither a probe nor a port."""
    first: dict[tuple[str, str], int] = {}
    for f, _ in entries:
        for key in ("id", "serial"):
            if key not in f:
                continue
            where = (key, f[key].line().lower())
            if where in first:
                raise f[key].error(f"is another board's, on line {first[where]}")
            first[where] = f[key].node.start_mark.line + 1


def _named(entries: Sequence[LabEntry]) -> tuple[LabEntry, ...]:
    """``entries`` with names apart: board@id where a type occurs more than once."""
    types = Counter(e.name for e in entries)
    named: list[LabEntry] = []
    for entry in entries:
        if types[entry.name] > 1:
            own = entry.probe or (entry.place.name if entry.place else None) or entry.port
            # The name becomes a folder.
            word = re.sub(r"[^A-Za-z0-9._-]+", "_", own or "").strip("._-")
            name = f"{entry.name}@{word or len(named) + 1}"
            while name in {e.name for e in named}:
                name += "_"
            entry = replace(entry, name=name)
        named.append(entry)
    return tuple(named)
