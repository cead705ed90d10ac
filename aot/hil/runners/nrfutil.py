"""nRF Util: Nordic's own, over the J-Link of its kits."""

from __future__ import annotations

from pathlib import Path

from aot.boards.board import Board
from aot.hil.runners.base import Capabilities, Program, own_arguments
from aot.hil.runners.tool import ToolRunner, Words

# Verifying is off unless asked for, and so is the reset.
_OPTIONS = "chip_erase_mode=ERASE_RANGES_TOUCHED_BY_FIRMWARE,verify=VERIFY_READ"


def argv(board: Board, image: Path, probe: str | None) -> list[list[str]]:
    """Programs, then resets; without a serial number, the only kit that is connected."""
    chosen = (
        *own_arguments(board, "nrfutil"),
        *(() if probe is None else ("--serial-number", probe)),
    )
    device = ("nrfutil", "--json", "device")
    return [
        [*device, "program", "--firmware", str(image), "--options", _OPTIONS, *chosen],
        [*device, "reset", *chosen],
    ]


NRFUTIL = ToolRunner(
    name="nrfutil",
    capabilities=Capabilities("hex", flashes=True, verifies=True, chooses_probe=True),
    program=Program(
        name="nrfutil",
        # Before, it was another program of the same name.
        oldest=(7, 0),
        ask=("--version",),
        version=r"nrfutil ([0-9]+(?:\.[0-9]+)+)",
        package=None,
        source="nordicsemi.com, nRF Util, and then `nrfutil install device`",
    ),
    words=Words(
        # One message a line, each a JSON object.
        success=(r'"type" ?: ?"task_end"', r'"result" ?: ?"success"'),
        failure=(r'"result" ?: ?"fail', r"^Error\b"),
        remedies=(
            (
                r"(?i)subcommand .*not found|not installed",
                "install its part with `nrfutil install device`",
            ),
            (
                r"(?i)no devices? |not found",
                "connect the kit by USB, or correct its serial number",
            ),
            (r"(?i)protect", "unlock the board, which erases it, with `nrfutil device recover`"),
        ),
    ),
    argv=argv,
)
