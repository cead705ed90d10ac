"""J-Link Commander: runs a file of commands over a J-Link."""

from __future__ import annotations

from pathlib import Path

from aot.boards.board import Board
from aot.hil.runners.base import Capabilities, Program, own_arguments, refuse_characters
from aot.hil.runners.tool import ToolRunner, Words


def argv(board: Board, image: Path, probe: str | None) -> list[list[str]]:
    """One command line, which leaves no question to be asked."""
    return [
        [
            *("JLinkExe", "-NoGui", "1", "-ExitOnError", "1"),
            *(() if probe is None else ("-SelectEmuBySN", probe)),
            *own_arguments(board, "jlink"),
            *("-Speed", "auto", "-AutoConnect", "1", "-CommandFile", str(_path(image))),
        ]
    ]


def command_file(image: Path) -> tuple[Path, str]:
    """The commands: reset and halt, write, reset, go. The file stays beside the image."""
    refuse_characters(image, '"\n', "JLinkExe")
    return _path(image), f'r\nloadfile "{image}"\nr\ng\nexit\n'


def _path(image: Path) -> Path:
    return image.with_suffix(".jlink")


JLINK = ToolRunner(
    name="jlink",
    capabilities=Capabilities("hex", flashes=True, chooses_probe=True),
    program=Program(
        name="JLinkExe",
        # -NoGui.
        oldest=(6, 80),
        # Its banner tells, and only a session prints that.
        ask=None,
        version=r"SEGGER J-Link Commander V([0-9]+\.[0-9]+)",
        package=None,
        source="segger.com, the J-Link Software and Documentation Pack",
    ),
    words=Words(
        # It connects with an `O.K.` too, so the one that counts follows the download; and it
        # completes scripts that did nothing, with status 0.
        success=(
            r"Downloading file \[[\s\S]*^O\.K\.\s*$",
            r"Script processing completed",
        ),
        failure=(
            r"(?i)\bfailed\b",
            r"(?i)\bcannot\b",
            r"(?i)\bcould not\b",
            r"(?i)^\W*error\b",
            r"Unknown command",
            r"Unspecified error",
        ),
        remedies=(
            (
                r"(?i)connect(?:ing)? to (?:the )?(?:J-Link|probe)[^\n]*FAILED|to the probe",
                "connect the J-Link by USB; where several are connected, name its serial number",
            ),
            (r"(?i)connect to (?:the )?target", "check the board's power and the debug cable"),
        ),
    ),
    argv=argv,
    command_file=command_file,
)
