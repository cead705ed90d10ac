"""st-flash of the open stlink tools: writes and verifies over an ST-LINK."""

from __future__ import annotations

from pathlib import Path

from aot.boards.board import Board
from aot.hil.runners.base import Capabilities, Program, own_arguments
from aot.hil.runners.tool import ToolRunner, Words


def argv(board: Board, image: Path, probe: str | None) -> list[list[str]]:
    """One command line; options precede `write`."""
    return [
        [
            *("st-flash", *own_arguments(board, "stlink")),
            *(() if probe is None else ("--serial", probe)),
            *("--reset", "--format", "ihex", "write", str(image)),
        ]
    ]


STLINK = ToolRunner(
    name="stlink",
    capabilities=Capabilities("hex", flashes=True, verifies=True, chooses_probe=True),
    program=Program(
        name="st-flash",
        oldest=(1, 7),
        ask=("--version",),
        version=r"v?([0-9]+(?:\.[0-9]+)+)",
        package="stlink-tools",
        source="github.com/stlink-org/stlink",
    ),
    words=Words(
        success=(r"jolly good",),
        failure=(r"\bERROR\b", r"[Vv]erification .*failed", r"Couldn't find"),
        remedies=(
            (r"Couldn't find any ST-Link", "connect the board's ST-LINK by USB"),
            (
                r"(?i)unknown (?:coreid|chip|device)",
                "install a newer st-flash: STM32G0B1 and STM32U5 are known to 1.8.0 and later",
            ),
        ),
    ),
    argv=argv,
)
