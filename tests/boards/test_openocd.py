"""The scripts that boards name to OpenOCD load there, and define a target and its flash."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from aot.boards.loader import board_names, load_board

BOARDS = [
    name
    for name in board_names()
    if any(r.name == "openocd" for r in load_board(name).runners.entries)
]
# Prints what the scripts have defined, before any probe is looked for.
QUESTIONS = "foreach t [target names] {echo target:$t}; foreach b [flash list] {echo bank:$b}"


@pytest.mark.parametrize("name", BOARDS)
def test_the_scripts_load(name: str) -> None:
    if shutil.which("openocd") is None:
        pytest.skip("openocd is missing; on Debian: openocd")
    board = load_board(name)
    (args,) = (r.args for r in board.runners.entries if r.name == "openocd")
    result = subprocess.run(
        ["openocd", *args, "-c", "noinit", "-c", QUESTIONS, "-c", "shutdown"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    lines = result.stderr.splitlines()
    assert [line for line in lines if line.startswith("target:")] != [], result.stderr
    banks = [line for line in lines if line.startswith("bank:")]
    bases = {int(bank.split()[bank.split().index("base") + 1]) for bank in banks}
    # 0 stands for the address that the driver finds, too.
    assert bases & {0, board.memory.region(board.memory.code).origin}, banks
