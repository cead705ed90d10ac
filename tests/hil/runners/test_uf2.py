"""UF2: finding the drive, copying, and the board that accepts or refuses."""

from __future__ import annotations

import shutil
import threading
import time

import pytest

from aot.boards.loader import load_board
from aot.hil.flash import flash
from aot.hil.runners import uf2
from aot.hil.runners.base import FlashJob
from aot.hil.runners.errors import DriveError, FlashError, FlashUnprovenError, ProbeError
from aot.hil.runners.uf2 import Uf2Runner

IMAGE = bytes(range(256)) * 300


@pytest.fixture
def mounts(tmp_path):
    return Uf2Runner(mounts=((tmp_path / "media", "*/*"), (tmp_path / "none", "*")))


def drive(tmp_path, name, board_id="Other"):
    path = tmp_path / "media" / "user" / name
    path.mkdir(parents=True)
    (path / "INFO_UF2.TXT").write_text(
        f"UF2 Bootloader v3.0\r\nModel: A board\r\nBoard-ID: {board_id}\r\n"
    )
    return path


def job(tmp_path, seconds=20.0):
    image = tmp_path / "firm ware.uf2"
    image.write_bytes(IMAGE)
    return FlashJob(load_board("rpi_pico"), image, None, seconds, tmp_path / "flash.log")


class Accepting(threading.Thread):
    """A boot loader that starts the firmware when it has all of it."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.path, self.taken = path, b""

    def run(self):
        copy = self.path / "firm ware.uf2"
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            if copy.exists() and copy.stat().st_size == len(IMAGE):
                self.taken = copy.read_bytes()
                shutil.rmtree(self.path)
                return
            time.sleep(0.01)


@pytest.mark.parametrize(
    ("name", "board_id"), [("RPI-RP2", "?"), ("RPI-RP21", "?"), ("NO NAME", "RPI-RP2")]
)
def test_accepted(tmp_path, mounts, name, board_id):
    drive(tmp_path, "BACKUP")
    board = Accepting(drive(tmp_path, name, board_id))
    board.start()
    assert mounts.flash(job(tmp_path)) == ()
    board.join(5)
    assert board.taken == IMAGE
    assert not (tmp_path / "media" / "user" / "BACKUP" / "firm ware.uf2").exists()


def test_refused(tmp_path, mounts):
    drive(tmp_path, "RPI-RP2")
    with pytest.raises(FlashUnprovenError, match="still there: the board did not accept it"):
        mounts.flash(job(tmp_path, seconds=0.3))


def test_no_drive(tmp_path, mounts):
    drive(tmp_path, "BACKUP")
    drive(tmp_path, "RPI-RP2-BACKUP")
    with pytest.raises(DriveError, match=r"no drive 'RPI-RP2'; connect .* hold BOOTSEL"):
        mounts.flash(job(tmp_path))


def test_several_drives(tmp_path, mounts):
    drive(tmp_path, "RPI-RP2")
    drive(tmp_path, "RPI-RP21")
    with pytest.raises(DriveError, match=r"several drives .*; disconnect all but one"):
        mounts.flash(job(tmp_path))


def test_a_drive_that_cannot_be_written(tmp_path, mounts, monkeypatch):
    monkeypatch.setattr(uf2, "_SETTLE_SECONDS", 0.1)
    (drive(tmp_path, "RPI-RP2") / "firm ware.uf2").mkdir()
    with pytest.raises(FlashError, match="Is a directory; check that the drive is mounted"):
        mounts.flash(job(tmp_path))


def test_it_cannot_choose_by_a_serial_number(tmp_path):
    with pytest.raises(ProbeError, match="runner uf2: cannot choose a board"):
        flash(load_board("rpi_pico"), tmp_path / "f.elf", probe="E6616407")
