"""Programs a board with one of the runners that its board file names."""

from __future__ import annotations

from pathlib import Path

from aot.boards.board import Board
from aot.hil.runners.base import FlashJob, check_image, check_probe
from aot.hil.runners.registry import flasher

_SECONDS = 180.0


def flash(
    board: Board,
    elf: Path,
    probe: str | None = None,
    runner: str | None = None,
    seconds: float = _SECONDS,
) -> str:
    """Programs a firmware and says what was done; emulated boards keep nothing.

    ``elf`` lies beside its other images, and ``flash.log`` there keeps what the runner's program
    printed. ``probe`` is the serial number of the debug probe or boot loader, needed where several
    are connected; ``runner`` is another of the board's than its default. No program may take
    longer than ``seconds``, times the board's multiplier.

    Raises RunnerError, ProbeError, ProgramMissingError, ProgramTooOldError, StartError or a
    FlashError.
    """
    chosen = flasher(board, runner)
    if chosen is None:
        return f"{board.name} is started by `test` and keeps nothing: there is nothing to flash"
    if probe is not None:
        check_probe(chosen, board, probe)
    # A relative path could begin like an option.
    image = elf.absolute().with_suffix(f".{chosen.capabilities.needs}")
    check_image(chosen, board, image)
    limit = seconds * board.timeout_multiplier
    job = FlashJob(board, image, probe, limit, image.with_name("flash.log"))
    warnings = chosen.flash(job)
    done = "programmed and verified" if chosen.capabilities.verifies else "programmed"
    through = "" if probe is None else f" through probe {probe}"
    return "\n".join([f"{board.name} {done} by {chosen.name}{through}", *warnings])
