"""dfu-util: writes over USB to a boot loader that speaks ST's DfuSe."""

from __future__ import annotations

from pathlib import Path

from aot.boards.board import Board
from aot.hil.runners.base import Capabilities, Program, own_arguments
from aot.hil.runners.tool import ToolRunner, Words


def argv(board: Board, image: Path, probe: str | None) -> list[list[str]]:
    """One command line; `leave` starts the firmware."""
    origin = board.memory.region(board.memory.code).origin
    return [
        [
            *("dfu-util", *own_arguments(board, "dfu")),
            *(() if probe is None else ("-S", probe)),
            *("-s", f"{origin:#010x}:leave", "-D", str(image)),
        ]
    ]


DFU = ToolRunner(
    name="dfu",
    capabilities=Capabilities("bin", flashes=True, chooses_probe=True),
    program=Program(
        name="dfu-util",
        oldest=(0, 9),
        ask=("--version",),
        version=r"dfu-util ([0-9]+(?:\.[0-9]+)+)",
        package="dfu-util",
        source="dfu-util.sourceforge.net",
    ),
    words=Words(
        success=(r"File downloaded successfully",),
        # A board that leaves for its firmware no longer tells its status. While a download lasts
        # the same complaint ends it, so that the words of success are missing.
        failure=(r"(?i)\berror\b(?! during download get_status)", r"(?i)\bcannot\b", r"failed"),
        remedies=(
            (r"No DFU capable USB device", "connect the board in its boot loader's mode by USB"),
            (r"Cannot open|LIBUSB_ERROR_ACCESS", "allow yourself the device: add a udev rule"),
            (r"More than one DFU capable", "several boards are connected: name a serial number"),
        ),
        # 74, EX_IOERR: what the complaint above ends with.
        statuses=(74,),
    ),
    argv=argv,
)
