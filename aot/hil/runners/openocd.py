"""OpenOCD: its own command `program` writes, verifies and resets over any probe it knows."""

from __future__ import annotations

from pathlib import Path

from aot.boards.board import Board
from aot.hil.runners.base import Capabilities, Program, own_arguments, refuse_characters
from aot.hil.runners.tool import ToolRunner, Words


def argv(board: Board, image: Path, probe: str | None) -> list[list[str]]:
    """One command line; `program` quotes the path once more, and only with braces."""
    refuse_characters(image, "{}\\\n", "openocd")
    return [
        [
            # Servers of debuggers, whose ports another OpenOCD may hold.
            *("openocd", "-c", "gdb_port disabled; tcl_port disabled; telnet_port disabled"),
            *own_arguments(board, "openocd"),
            *(() if probe is None else ("-c", f"adapter serial {probe}")),
            *("-c", f"program {{{image}}} verify reset exit"),
        ]
    ]


OPENOCD = ToolRunner(
    name="openocd",
    capabilities=Capabilities("elf", flashes=True, verifies=True, chooses_probe=True),
    program=Program(
        name="openocd",
        # `adapter serial`, and the configurations of RP2040 and STM32U5.
        oldest=(0, 12),
        ask=("--version",),
        version=r"Open On-Chip Debugger ([0-9]+(?:\.[0-9]+)+)",
        package="openocd",
        source="openocd.org",
    ),
    words=Words(
        success=(r"^\*\* Verified OK \*\*",),
        # A line with `Error:` alone means little: OpenOCD also prints some and goes on.
        failure=(r"\*\* .*(?:[Ff]ailed|Unable to).* \*\*",),
        remedies=(
            (r"LIBUSB_ERROR_ACCESS", "allow yourself the probe: install OpenOCD's udev rules"),
            (
                r"Can't find |invalid command name",
                "this OpenOCD lacks a configuration that the board file names: install a newer one",
            ),
            (
                r"OpenOCD init failed",
                "connect the board's probe by USB; where several are connected, name its serial "
                "number; close other programs that use it",
            ),
            (
                r"Verify Failed|contents differ",
                "program once more; where it fails again, check cable and power",
            ),
        ),
    ),
    argv=argv,
)
