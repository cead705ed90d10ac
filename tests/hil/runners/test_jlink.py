"""J-Link Commander: exact command lines, its file of commands, and verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest

from aot.boards.loader import load_board
from aot.hil.runners.errors import (
    FlashContradictedError,
    FlashFailedError,
    FlashUnprovenError,
    ImageError,
    ProgramTooOldError,
)
from aot.hil.runners.jlink import argv, command_file
from tests.hil.runners.bench import Bench

BANNER = "SEGGER J-Link Commander V8.12b (Compiled Jan 15 2025 13:47:46)"
SESSION = """\
{banner}
J-Link Command File read successfully.
J-Link Commander will now exit on Error
Connecting to J-Link via USB...O.K.
J-Link>loadfile "{image}"
'loadfile': Performing implicit reset & halt of MCU.
Downloading file [{image}]...
Comparing flash   [100%] Done.
{result}
J-Link>exit

Script processing completed."""


@pytest.fixture
def bench(tmp_path, monkeypatch):
    return Bench(tmp_path, monkeypatch, "nrf52840dk", "jlink", "JLinkExe", "")


def session(result, banner=BANNER, image="failed/cannot.hex"):
    return SESSION.format(banner=banner, result=result, image=image)


def test_argv():
    board = load_board("nrf52840dk")
    head = ["JLinkExe", "-NoGui", "1", "-ExitOnError", "1"]
    tail = [
        *("-device", "nRF52840_xxAA", "-if", "SWD", "-Speed", "auto", "-AutoConnect", "1"),
        *("-CommandFile", "out/f.jlink"),
    ]
    assert argv(board, Path("out/f.hex"), None) == [[*head, *tail]]
    assert argv(board, Path("out/f.hex"), "1050") == [[*head, "-SelectEmuBySN", "1050", *tail]]


def test_the_file_of_commands():
    path, text = command_file(Path("out dir/f.hex"))
    assert path == Path("out dir/f.jlink")
    assert text == 'r\nloadfile "out dir/f.hex"\nr\ng\nexit\n'
    with pytest.raises(ImageError, match="JLinkExe takes no path with '\"'"):
        command_file(Path('a"b.hex'))


def test_success(bench):
    # The path of the image, which holds words of failure, is none of the program's own.
    bench.elf = bench.folder / "failed" / "cannot.elf"
    bench.elf.parent.mkdir()
    image = bench.elf.with_suffix(".hex")
    image.write_text("")
    bench.says(session("O.K.", image=image))
    assert bench.flash() == "nrf52840dk programmed by jlink"
    assert bench.arguments[-1] == str(bench.elf.with_suffix(".jlink"))
    assert f'loadfile "{image}"' in bench.elf.with_suffix(".jlink").read_text()


@pytest.mark.parametrize(
    ("output", "status", "error", "message"),
    [
        # It ends like this, with status 0, where nothing is connected.
        (
            f"{BANNER}\nConnecting to J-Link ...FAILED: Cannot connect to the probe/programmer.\n"
            "Script processing completed.",
            0,
            FlashContradictedError,
            "connect the J-Link by USB",
        ),
        (
            f"{BANNER}\nConnecting to J-Link via USB...O.K.\n"
            "Could not connect to the target device.\nScript processing completed.",
            0,
            FlashContradictedError,
            "check the board's power",
        ),
        (
            session("****** Error: Verification failed @ address 0x0"),
            0,
            FlashContradictedError,
            "Verification failed",
        ),
        (session("Writing target memory failed."), 1, FlashFailedError, "status 1"),
        # The O.K. of the connection does not count.
        (session("Unspecific end", image="f.hex"), 0, FlashUnprovenError, "did not tell"),
    ],
)
def test_failures(bench, output, status, error, message):
    bench.says(output, status)
    with pytest.raises(error, match=message):
        bench.flash()


def test_too_old(bench):
    bench.says(session("O.K.", banner="SEGGER J-Link Commander V6.32h (Compiled)"))
    with pytest.raises(ProgramTooOldError, match=r"JLinkExe 6\.32 is older than 6\.80; install"):
        bench.flash()
