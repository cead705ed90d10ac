"""microaot doctor: what a board needs of this machine, what is there, and what to install."""

from __future__ import annotations

import argparse
import grp
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from aot.boards.board import Board
from aot.boards.loader import board_names, load_board
from aot.boards.toolchain import check_toolchain
from aot.errors import MicroaotError
from aot.hil.lab import STARTING
from aot.hil.ports import PortInfo, connected_ports
from aot.hil.runners.programs import check_program
from aot.hil.runners.registry import RUNNERS

_RULES = (Path("/etc/udev/rules.d"), Path("/usr/lib/udev/rules.d"), Path("/lib/udev/rules.d"))


@dataclass(frozen=True)
class Finding:
    """One line of the report; ``missing`` where the board cannot do without."""

    text: str
    missing: bool = False


@dataclass(frozen=True)
class Machine:
    """What is asked of this machine besides its programs."""

    ports: Callable[[], Sequence[PortInfo]]
    groups: Callable[[], Sequence[str]]
    usable: Callable[[str], bool]
    rules: Callable[[], str]


def this_machine() -> Machine:
    """The machine as it is."""
    return Machine(
        connected_ports, _groups, lambda device: os.access(device, os.R_OK | os.W_OK), _rules
    )


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The subcommand's arguments."""
    parser = commands.add_parser("doctor", help="tell what is missing to build, flash and test")
    parser.add_argument(
        "--board", metavar="B", help="board name or alias (default: all that need no hardware)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints the findings; 1 where anything is missing."""
    names = board_names() if args.board is None else (args.board,)
    boards = [load_board(name) for name in names]
    if args.board is None:
        boards = [b for b in boards if b.runners.default in STARTING]
    return examine(boards, this_machine())


def examine(boards: Sequence[Board], machine: Machine) -> int:
    """Prints what ``boards`` need of ``machine``; 1 where anything is missing."""
    findings = [f for board in boards for f in findings_of(board, machine)]
    for finding in findings:
        print(f"{'missing' if finding.missing else 'ok':<8} {finding.text}")
    return int(any(f.missing for f in findings))


def findings_of(board: Board, machine: Machine) -> Iterator[Finding]:
    """Toolchain and runner of ``board``, and where it is real, the way to its probe and port."""
    where = f"board {board.name}"
    yield _checked(f"{where}: {board.toolchain.compiler}", lambda: check_toolchain(board))
    runner = next(r for r in RUNNERS if r.name == board.runners.default)
    for program in runner.programs(board):
        yield _checked(f"{where}: {program.name}", partial(check_program, program, where))
    if board.runners.default in STARTING:
        return
    usb = board.console.usb
    if usb is not None and f"{usb.vid:04x}" not in machine.rules().lower():
        yield Finding(
            f"{where}: no udev rule for USB vendor {usb.vid:04x}; on Debian the package openocd "
            "brings one (needed unless the user is root)"
        )
    ports = machine.ports()
    if not ports:
        yield Finding(f"{where}: no serial port is there; check cable and power", True)
    for port in ports:
        usable = machine.usable(port.device)
        hint = "" if usable else " cannot be read and written"
        if not usable and "dialout" not in machine.groups():
            hint += "; add the user to the group dialout"
        yield Finding(f"{where}: port {port}{hint}", not usable)


def _checked(text: str, check: Callable[[], object]) -> Finding:
    try:
        said = check()
    except MicroaotError as error:
        return Finding(str(error), True)
    return Finding(text if said is None else f"{text} {said}")


def _groups() -> Sequence[str]:
    known = {g.gr_gid: g.gr_name for g in grp.getgrall()}
    return [known.get(number, "") for number in os.getgroups()]


def _rules() -> str:
    files = [path for folder in _RULES for path in sorted(folder.glob("*.rules"))]
    return "\n".join(path.read_text(errors="replace") for path in files)
