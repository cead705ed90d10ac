"""pyOCD: writes over CMSIS-DAP, ST-Link and J-Link probes."""

from __future__ import annotations

from pathlib import Path

from aot.boards.board import Board
from aot.hil.runners.base import Capabilities, Program, own_arguments
from aot.hil.runners.tool import ToolRunner, Words


def argv(board: Board, image: Path, probe: str | None) -> list[list[str]]:
    """One command line; it resets the board at its end."""
    return [
        [
            # Without --no-wait, it waits for ever for a probe that is not there.
            *("pyocd", "load", "--no-wait", *own_arguments(board, "pyocd")),
            *(() if probe is None else ("-u", probe)),
            *("--format", "hex", str(image)),
        ]
    ]


PYOCD = ToolRunner(
    name="pyocd",
    capabilities=Capabilities("hex", flashes=True, chooses_probe=True),
    program=Program(
        name="pyocd",
        # `pyocd load`.
        oldest=(0, 32),
        ask=("--version",),
        version=r"([0-9]+(?:\.[0-9]+)+)",
        package=None,
        source="PyPI, the package pyocd",
    ),
    words=Words(
        success=(r"programmed [0-9]+ bytes",),
        # Lines of its log at the levels error and critical.
        failure=(r"^[0-9]+ [EC] ", r"^Traceback "),
        remedies=(
            (r"not recognized", "install the target's support with `pyocd pack install`"),
            (r"Enter the number", "several probes are connected: name one by its serial number"),
            (
                r"No connected debug probe",
                "connect the board's probe by USB, or correct its number",
            ),
        ),
    ),
    argv=argv,
)
