"""STM32CubeProgrammer: ST's own, over an ST-LINK."""

from __future__ import annotations

from pathlib import Path

from aot.boards.board import Board
from aot.hil.runners.base import Capabilities, Program, own_arguments
from aot.hil.runners.tool import ToolRunner, Words


def argv(board: Board, image: Path, probe: str | None) -> list[list[str]]:
    """One command line; the probe belongs to `--connect`, which ends the board's arguments."""
    return [
        [
            *("STM32_Programmer_CLI", *own_arguments(board, "stm32cubeprogrammer")),
            *(() if probe is None else (f"sn={probe}",)),
            *("--download", str(image), "--verify", "-rst"),
        ]
    ]


STM32CUBEPROGRAMMER = ToolRunner(
    name="stm32cubeprogrammer",
    capabilities=Capabilities("hex", flashes=True, verifies=True, chooses_probe=True),
    program=Program(
        name="STM32_Programmer_CLI",
        oldest=(2, 8),
        ask=("--version",),
        version=r"STM32CubeProgrammer (?:version: )?v?([0-9]+(?:\.[0-9]+)+)",
        package=None,
        source="st.com, STM32CubeProgrammer",
    ),
    words=Words(
        success=(r"File download complete", r"Download verified successfully"),
        # It has been seen to verify what it failed to write.
        failure=(r"\bError\b",),
        remedies=(
            (
                r"No (?:ST-LINK|debug probe) detected|ST-LINK error",
                "connect the board's ST-LINK by USB",
            ),
            (r"No STM32 target found", "check the board's power; hold its reset and try again"),
        ),
    ),
    argv=argv,
)
