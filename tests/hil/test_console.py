"""Opening ports, and lines of whatever arrives."""

from __future__ import annotations

import os
import tty

import pytest

from aot.hil.console import open_console
from aot.hil.errors import GarbledAnswerError, NoAnswerError, PortError


@pytest.fixture
def terminal():
    """The controlling end of a pseudo-terminal and the device of the other."""
    controller, port = os.openpty()
    tty.setraw(port)
    yield controller, os.ttyname(port)
    os.close(controller)
    os.close(port)


def test_no_such_port():
    with pytest.raises(PortError, match="cannot be opened"):
        open_console("/dev/does-not-exist", 115200)


def test_a_port_opens_once(terminal):
    with open_console(terminal[1], 115200), pytest.raises(PortError, match="cannot be opened"):
        open_console(terminal[1], 115200)


def test_control_lines_are_set_before_the_port_opens():
    with open_console("loop://", 115200, dtr=False, rts=False) as console:
        assert (console._port.dtr, console._port.rts) == (False, False)


def test_lines(terminal):
    controller, name = terminal
    with open_console(name, 115200) as console:
        os.write(controller, b"one\r\n\0two \nthr\xffee\n")
        assert [console.line(1) for _ in range(3)] == ["one", "two", "thr\ufffdee"]
        assert console.log == ["one", "two", "thr\ufffdee"]


def test_silence_and_noise_are_told_apart(terminal):
    controller, name = terminal
    with open_console(name, 115200) as console:
        with pytest.raises(NoAnswerError, match=r"no line within 0\.1 s"):
            console.line(0.1)
        os.write(controller, b"\xff" * 1000)
        with pytest.raises(GarbledAnswerError, match="no end of the line"):
            console.line(0.1)
