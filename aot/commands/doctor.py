"""microaot doctor: what a board needs of this machine, what is there, and what to install."""

from __future__ import annotations

import argparse
import grp
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path

from aot.boards.board import Board
from aot.boards.loader import board_names, load_board
from aot.boards.toolchain import check_toolchain
from aot.errors import MicroaotError
from aot.hil.lab import STARTING
from aot.hil.ports import PortInfo, connected_ports
from aot.hil.probes import Probe, connected_probes
from aot.hil.runners.programs import check_program
from aot.hil.runners.registry import RUNNERS

_RULES = (Path("/etc/udev/rules.d"), Path("/usr/lib/udev/rules.d"), Path("/lib/udev/rules.d"))


class Grade(Enum):
    """What a line of the report means: MISSING is what the board cannot do without."""

    OK = "ok"
    NOTE = "note"
    MISSING = "missing"


@dataclass(frozen=True)
class Finding:
    """One line of the report."""

    text: str
    grade: Grade = Grade.OK


@dataclass(frozen=True)
class Machine:
    """What is asked of this machine besides its programs."""

    ports: Callable[[], Sequence[PortInfo]]
    probes: Callable[[], Sequence[Probe]]
    groups: Callable[[], Sequence[str]]
    usable: Callable[[str], bool]
    rules: Callable[[], str]


def this_machine() -> Machine:
    """The machine as it is."""
    return Machine(
        connected_ports,
        connected_probes,
        _groups,
        lambda device: os.access(device, os.R_OK | os.W_OK),
        _rules,
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
    findings = [f for board in boards for f in _programs(board)]
    real = [b for b in boards if b.runners.default not in STARTING]
    if real:
        findings += [*_rights(real, machine), *_connected(machine)]
    for finding in findings:
        print(f"{finding.grade.value:<8} {finding.text}")
    return int(any(f.grade is Grade.MISSING for f in findings))


def _programs(board: Board) -> Iterator[Finding]:
    """The toolchain and the programs of every runner, of which the default alone must be there."""
    where = f"board {board.name}"
    yield _checked(
        f"{where}: {board.toolchain.compiler}", lambda: check_toolchain(board), Grade.MISSING
    )
    for config in board.runners.entries:
        lacking = Grade.MISSING if config.name == board.runners.default else Grade.NOTE
        runner = next(r for r in RUNNERS if r.name == config.name)
        for program in runner.programs(board):
            text = f"{where}: {program.name}"
            yield _checked(text, partial(check_program, program, where), lacking)


def _checked(text: str, check: Callable[[], str], lacking: Grade) -> Finding:
    try:
        return Finding(f"{text} {check()}".rstrip())
    except MicroaotError as error:
        return Finding(str(error), lacking)


def _rights(boards: Sequence[Board], machine: Machine) -> Iterator[Finding]:
    """The user's group, and a udev rule for every vendor of a probe."""
    if "dialout" in machine.groups():
        yield Finding("the user is in the group dialout, which serial ports belong to")
    else:
        yield Finding("the user is not in the group dialout: adduser USER dialout", Grade.NOTE)
    rules = machine.rules().lower()
    for vid in sorted({b.console.usb.vid for b in boards if b.console.usb is not None}):
        if f"{vid:04x}" in rules:
            yield Finding(f"udev has a rule for USB vendor {vid:04x}")
        else:
            yield Finding(
                f"no udev rule for USB vendor {vid:04x}, which users other than root need; on "
                "Debian the package openocd brings one",
                Grade.NOTE,
            )


def _connected(machine: Machine) -> Iterator[Finding]:
    """The probes and serial ports that are there, and whether they may be used."""
    probes, ports = machine.probes(), machine.ports()
    for probe in probes:
        yield _reachable(f"probe {probe}", str(probe.node), machine)
    if not probes:
        yield Finding("no debug probe is on USB; check cable and power", Grade.NOTE)
    for port in ports:
        yield _reachable(f"port {port}", port.device, machine)
    if not ports:
        yield Finding("no serial port is there; check cable and power", Grade.MISSING)


def _reachable(text: str, path: str, machine: Machine) -> Finding:
    if machine.usable(path):
        return Finding(text)
    return Finding(f"{text} cannot be read and written by this user", Grade.MISSING)


def _groups() -> Sequence[str]:
    known = {g.gr_gid: g.gr_name for g in grp.getgrall()}
    return [known.get(number, "") for number in os.getgroups()]


def _rules() -> str:
    files = [path for folder in _RULES for path in sorted(folder.glob("*.rules"))]
    return "\n".join(path.read_text(errors="replace") for path in files)
