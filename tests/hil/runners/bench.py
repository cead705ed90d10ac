"""A board with its images, and a program that stands in for its flasher."""

from __future__ import annotations

import os
from pathlib import Path

from aot.boards.board import Board
from aot.boards.loader import load_board
from aot.hil.flash import flash
from tests.hil.scripts import script

FOLDER = "out with spaces"


class Bench:
    """Programs ``board`` with ``runner``, whose ``program`` does what ``says`` was told.

    ``line`` is what the program prints when asked for its version.
    """

    def __init__(self, folder: Path, monkeypatch, board: str, runner: str, program: str, line: str):
        self.folder, self.runner, self.program, self.line = folder, runner, program, line
        self.board: Board = load_board(board)
        self.elf = folder / FOLDER / "firmware.elf"
        self.elf.parent.mkdir()
        for kind in ("elf", "hex", "bin", "uf2"):
            self.elf.with_suffix(f".{kind}").write_bytes(b"image")
        (folder / "bin").mkdir()
        monkeypatch.setenv("PATH", f"{folder / 'bin'}:{os.environ['PATH']}")

    def says(self, output: str, status: int = 0) -> Bench:
        """The program prints ``output`` on both streams, a line on each in turn, and ends."""
        said = self.folder / "said"
        said.write_text(output + "\n")
        return self.does(
            f"n=0; while IFS= read -r l; do n=$((n+1)); if [ $((n%2)) = 1 ]; "
            f"then printf '%s\\n' \"$l\"; else printf '%s\\n' \"$l\" >&2; fi; "
            f"done < '{said}'; exit {status}"
        )

    def does(self, body: str) -> Bench:
        """The program runs ``body``, and keeps each of its arguments on a line."""
        script(
            self.folder / "bin" / self.program,
            f'if [ "$1" = --version ]; then echo "{self.line}"; exit 0; fi\n'
            f"printf '%s\\n' \"$@\" >> '{self.folder}/arguments'\n{body}",
        )
        return self

    def flash(self, probe: str | None = None, seconds: float = 20.0) -> str:
        return flash(self.board, self.elf, probe, self.runner, seconds)

    @property
    def arguments(self) -> list[str]:
        return (self.folder / "arguments").read_text().splitlines()

    @property
    def log(self) -> str:
        return (self.elf.parent / "flash.log").read_text()
