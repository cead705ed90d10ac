"""A board behind a port: over TCP as pyserial's own handlers reach it, the build checked."""

from __future__ import annotations

import os
import socket
import threading

import pytest

from aot.boards.loader import load_board
from aot.commands.firmware import link
from aot.compiler import CompileOptions, compile_model
from aot.hil.runner import device
from aot.hil.testing import run_test
from tests.support.models import DIGITS
from tests.support.native import gcc


@pytest.fixture
def served(tmp_path):
    """The example's firmware as a native program behind a TCP socket."""
    gcc()
    board = load_board("host")
    model = compile_model(DIGITS.read_bytes(), "digits", CompileOptions("digits", board.ir_pools()))
    image, build_id = link(board, [model], tmp_path)
    server = socket.create_server(("127.0.0.1", 0))
    with device(board, image.elf) as name, server:
        terminal = os.open(name, os.O_RDWR | os.O_NOCTTY)
        threading.Thread(target=_bridge, args=(server, terminal), daemon=True).start()
        yield board, image.elf, build_id, tmp_path, server.getsockname()[1]
        os.close(terminal)


def _bridge(server, terminal):
    connection, _ = server.accept()

    def back():
        try:
            while data := os.read(terminal, 4096):
                connection.sendall(data)
        except OSError:
            return

    threading.Thread(target=back, daemon=True).start()
    try:
        while data := connection.recv(4096):
            os.write(terminal, data)
    except OSError:
        return


def outcome(served, build_id=None):
    board, image, own, folder, port = served
    return run_test(
        board,
        image,
        build_id or own,
        [folder / "generated" / "digits.json"],
        [DIGITS.with_suffix(".npz")],
        folder / "r.xml",
        f"socket://127.0.0.1:{port}",
    )


def test_over_a_socket(served):
    result = outcome(served)
    assert result.passed, result.text
    assert "digits on host on socket://127.0.0.1" in result.text
    assert "360 of 360 runs" in result.text


def test_another_build_does_not_pass(served):
    result = outcome(served, build_id="0123456789abcdef")
    assert not result.passed
    assert "answers where 0123456789abcdef was expected" in result.text
    assert 'failures="1"' in (served[3] / "r.xml").read_text()
