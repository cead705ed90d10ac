"""`Session` over a line with faults: each ends in the right outputs or the right verdict."""

from __future__ import annotations

import time

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
from aot.hil.session import Identity, Session
from tests.hil.conftest import Example
from tests.hil.faulty_line import FaultyLine, faithful


def once(when: bytes, change):
    """Applies ``change`` to the first piece in which ``when`` occurs and that it changes: a
    piece may end anywhere."""
    left = [1]

    def fault(data):
        if not left[0] or when not in data:
            return data
        changed = change(data)
        left[0] = int(changed == data)
        return changed

    return fault


def check_run(session: Session, example: Example, index: int = 0) -> None:
    inputs, expected = example.runs[index]
    assert session.run(inputs) == [expected]


def test_a_run(example: Example):
    line = FaultyLine(example.program)
    with line as console:
        session = Session(console)
        session.sync()
        assert session.identify() == Identity(example.build_id, "host", 1)
        session.check("host", example.build_id)
        session.select(0)
        check_run(session, example)
        measured = session.measure()
        assert measured.hz == 1_000_000_000
        assert measured.ticks > 0
        assert session.retries == 0
        assert line.commands()[-4:] == ["get 0 0 10", "ticks", "stack", "pools"]


def test_a_board_that_resets_when_its_port_is_opened(example: Example):
    ready = time.monotonic() + 1.0
    line = FaultyLine(example.program)
    line.to_device = lambda data: b"" if time.monotonic() < ready else data
    with line as console:
        session = Session(console)
        session.sync()
        check_run(session, example)


def test_an_echo_of_every_command(example: Example):
    line = FaultyLine(example.program)

    def echo(data):
        line.inject(data)
        return data

    line.to_device = echo
    with line as console:
        session = Session(console)
        session.sync()
        check_run(session, example)
        assert session.retries == 0


@pytest.mark.parametrize(
    "before",
    [
        b"m-ready\r\n",
        b"booting...\r\nm-begin-[1]\r\n\x00\xff\xfe",
        b"m-end-[7,7,00000000]\r\nm-ready\r\n",
        b"[00:00:01] log of yesterday\r\n" * 100_000,
    ],
    ids=["ready", "half an answer", "an old answer", "megabytes"],
)
def test_stale_bytes_and_old_logs(example: Example, before: bytes):
    line = FaultyLine(example.program)

    def late(data):
        line.to_host = faithful
        return before + data

    line.to_host = late
    with line as console:
        session = Session(console)
        session.sync()
        check_run(session, example)


def test_a_late_banner(example: Example):
    line = FaultyLine(example.program)
    with line as console:
        session = Session(console)
        session.sync()
        line.inject(b"*** wireless up ***\r\nm-ready\r\n")
        check_run(session, example)


def test_bytes_that_come_one_by_one(example: Example):
    line = FaultyLine(example.program)

    def slowly(data):
        for byte in data:
            line.inject(bytes([byte]))
        return b""

    line.to_host = slowly
    with line as console:
        session = Session(console)
        session.sync()
        check_run(session, example)
        assert session.retries == 0


@pytest.mark.parametrize(
    ("when", "change"),
    [
        (b"m-begin", lambda data: data.replace(b"\r\n", b"")),
        (b"m-begin", lambda data: data.replace(b"m-begin", b"m-begun")),
        (b"m-begin", lambda data: b""),
        (b"m-crc-", lambda data: data.replace(b"m-crc-[", b"m-crc-[0")),
        (b"m-run", lambda data: data.replace(b"m-run-[0]", b"m-run-[1]")),
        (b"m-run", lambda data: data.replace(b"m-run-[0]\r\n", b"")),
        (b"m-end", lambda data: data.replace(b"m-end", b"m-and")),
        (b"m-hex", lambda data: data.replace(b"m-hex-[", b"m-hex-[00", 1)),
        (b"m-output", lambda data: data[: len(data) // 2]),
    ],
)
def test_one_garbled_answer_is_repeated_and_told(example: Example, when: bytes, change):
    line = FaultyLine(example.program)
    with line as console:
        session = Session(console, patience=0.2)
        session.sync()
        line.to_host = once(when, change)
        check_run(session, example)
        assert session.retries == 1


@pytest.mark.parametrize(
    ("when", "change"),
    [
        (b"put", lambda data: data.replace(b"put", b"pit")),
        (b"put", lambda data: data.replace(b"%", b"")),
        (b"put", lambda data: data.replace(b"!", b"")),
        (b",crc%", lambda data: b"?" + data),
        (b",run%", lambda data: data.replace(b"run%", b"r%un%")),
    ],
)
def test_one_garbled_command_is_repeated_and_told(example: Example, when: bytes, change):
    line = FaultyLine(example.program)
    with line as console:
        session = Session(console, patience=0.2)
        session.sync()
        line.to_device = once(when, change)
        check_run(session, example)
        assert session.retries == 1


def test_an_inference_runs_once_however_often_it_is_asked_for(example: Example):
    line = FaultyLine(example.program)
    with line as console:
        session = Session(console, patience=0.2)
        session.sync()
        line.to_host = once(b"m-run", lambda data: data.replace(b"m-run", b"m-ran"))
        check_run(session, example)
        assert line.commands().count("run") == 2
        assert "m-again" in console.log


def test_another_board(example: Example):
    with FaultyLine(example.program) as console:
        session = Session(console)
        session.sync()
        with pytest.raises(WrongBoardError, match="`host` answers where `stm32f746`"):
            session.check("stm32f746", example.build_id)


def test_another_build(example: Example):
    with FaultyLine(example.program) as console:
        session = Session(console)
        session.sync()
        with pytest.raises(WrongFirmwareError, match=f"build {example.build_id} answers where b0"):
            session.check("host", "b0")


def test_no_answer(example: Example):
    start = time.monotonic()
    with (
        FaultyLine(example.program, to_host=lambda data: b"") as console,
        pytest.raises(NoAnswerError, match="no answer within 1 s; is the firmware flashed"),
    ):
        Session(console, patience=0.05).sync()
    assert time.monotonic() - start < 5


def test_garbage_for_ever(example: Example):
    def garbage(data):
        return bytes(b | 0x80 for b in data)

    with (
        FaultyLine(example.program, to_host=garbage) as console,
        pytest.raises(GarbledAnswerError, match="check the baud rate"),
    ):
        Session(console, patience=0.05).sync()


def test_a_wrong_checksum_every_time(example: Example):
    line = FaultyLine(example.program)
    with line as console:
        session = Session(console, patience=0.2)
        session.sync()
        line.to_host = lambda data: data.replace(b"m-crc-[", b"m-crc-[f")
        with pytest.raises(GarbledAnswerError, match="the answer to `crc` has a wrong checksum"):
            check_run(session, example)


def test_silence_in_the_middle(example: Example):
    line = FaultyLine(example.program)
    with line as console:
        session = Session(console, patience=0.02)
        session.sync()
        line.to_host = lambda data: b""
        with pytest.raises(NoAnswerError, match="no line within"):
            check_run(session, example)


def test_a_refusal(example: Example):
    with FaultyLine(example.program) as console:
        session = Session(console)
        session.sync()
        with pytest.raises(DeviceError, match=r"answers \[No such model\] to `model 7`"):
            session.select(7)


def test_a_reset_between_exchanges(example: Example):
    line = FaultyLine(example.program)
    with line as console:
        session = Session(console, patience=0.2)
        session.sync()
        session.check("host", example.build_id)
        line.restart()
        with pytest.raises(BoardResetError, match="started anew"):
            session.select(0)


def test_a_reset_in_the_middle_of_an_answer(example: Example):
    line = FaultyLine(example.program)

    def reset(data):
        line.restart()
        return data[:20]

    with line as console:
        session = Session(console, patience=0.2)
        session.sync()
        session.select(0)
        line.to_host = once(b"m-run", reset)
        with pytest.raises(BoardResetError, match="started anew before or during `run`"):
            check_run(session, example)


def test_a_port_that_vanishes(example: Example):
    line = FaultyLine(example.program)

    def vanish(data):
        line.vanish()
        return b""

    with line as console:
        session = Session(console, patience=0.2)
        session.sync()
        line.to_host = once(b"m-run", vanish)
        with pytest.raises(PortError, match="the port vanished"):
            check_run(session, example)
