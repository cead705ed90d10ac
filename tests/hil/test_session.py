"""`Session` against a device with faults: each ends in the right verdict."""

from __future__ import annotations

import pytest

from aot.hil.errors import (
    BoardResetError,
    DeviceError,
    GarbledAnswerError,
    NoAnswerError,
    PortError,
    WrongBoardError,
    WrongFirmwareError,
)
from aot.hil.session import Identity, Measurement, Session
from tests.hil.fake_device import FakeDevice

DATA = bytes(range(200)) * 4
DOUBLED = bytes(2 * b & 0xFF for b in DATA)


def once(command_start, change):
    """Applies ``change`` to the first answer to a command that starts so."""
    left = [1]

    def fault(command, lines):
        if command.startswith(command_start) and left[0]:
            left[0] = 0
            return change(lines)
        return lines

    return fault


def test_a_run():
    with FakeDevice() as console:
        session = Session(console)
        session.sync()
        assert session.identify() == Identity("b001", "fake", 1)
        session.check("fake", "b001")
        session.select(0)
        assert session.run(DATA) == [DOUBLED]
        assert session.measure() == Measurement(1234, 25000000, 200, (("ram", 100),))
        assert session.retries == 0


@pytest.mark.parametrize(
    "banner",
    [
        b"m-ready\r\n",
        b"booting...\r\nm-echo-[1]\r\n\x00\xff\xfe",
        b"x" * 20000,
    ],
)
def test_banners_and_stale_bytes(banner):
    with FakeDevice(banner=banner) as console:
        session = Session(console)
        session.sync()
        assert session.run(DATA) == [DOUBLED]


def test_wrong_board():
    with FakeDevice(board="other") as console:
        session = Session(console)
        session.sync()
        with pytest.raises(WrongBoardError, match="`other` answers where `fake`"):
            session.check("fake", "b001")


def test_wrong_firmware():
    with FakeDevice(build="old") as console:
        session = Session(console)
        session.sync()
        with pytest.raises(WrongFirmwareError, match="build old answers where b001"):
            session.check("fake", "b001")


def test_no_answer():
    with FakeDevice(fault=lambda command, lines: None) as console, pytest.raises(NoAnswerError):
        Session(console, patience=0.05).sync()


def test_garbage_for_ever():
    noisy = FakeDevice(fault=lambda command, lines: ["\x7f?#"])
    with noisy as console, pytest.raises(GarbledAnswerError):
        Session(console, patience=0.05).sync()


@pytest.mark.parametrize(
    ("command", "change"),
    [
        ("db ", lambda lines: None),
        ("crc", lambda lines: ["m-crc-[00000000]", "m-ready"]),
        ("crc", lambda lines: ["m-crc-[zz", "m-ready"]),
        ("infer", lambda lines: lines[:1] + lines[-1:]),
        ("output", lambda lines: [lines[0], "m-hex-[00]", "m-ready"]),
        ("output", lambda lines: ["m-ready"]),
        ("output", lambda lines: [*lines[:-1], "noise"]),
    ],
)
def test_one_garbled_exchange_is_repeated_and_told(command, change):
    with FakeDevice(fault=once(command, change)) as console:
        session = Session(console, patience=0.1)
        session.sync()
        assert session.run(DATA) == [DOUBLED]
        assert session.retries >= 1


def test_a_wrong_checksum_every_time():
    def fault(command, lines):
        return ["m-crc-[00000000]", "m-ready"] if command == "crc" else lines

    with FakeDevice(fault=fault) as console:
        session = Session(console)
        session.sync()
        with pytest.raises(GarbledAnswerError, match="wrong checksum of the inputs"):
            session.run(DATA)


def test_refusal():
    def fault(command, lines):
        return ["e-[Run failed with -2]", "m-ready"] if command.startswith("infer") else lines

    with FakeDevice(fault=fault) as console:
        session = Session(console)
        session.sync()
        with pytest.raises(DeviceError, match=r"answers \[Run failed with -2\] to `infer 1`"):
            session.run(DATA)


def test_reset_in_the_middle():
    with FakeDevice(fault=once("infer", lambda lines: ["m-ready", "m-ready"])) as console:
        session = Session(console)
        session.sync()
        with pytest.raises(BoardResetError, match="started anew during `infer 1`"):
            session.run(DATA)


def test_vanished_port():
    device = FakeDevice()

    def fault(command, lines):
        if command.startswith("infer"):
            device.vanish()
            return None
        return lines

    device._fault = fault
    with device as console:
        session = Session(console, patience=0.2)
        session.sync()
        with pytest.raises(PortError, match="the port vanished"):
            session.run(DATA)
