"""An emulated board behind ser2net: over RFC 2217, and over plain TCP."""

from __future__ import annotations

import pytest

from aot.hil.bench import flash_and_test
from aot.hil.lab import single
from aot.hil.runner import device
from tests.hil.network import build, serial_server


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build("mps2-an386", tmp_path_factory.mktemp("firmware"))


@pytest.mark.parametrize(
    ("accepter", "url"),
    [
        ("telnet(rfc2217,mode=server),", "rfc2217://127.0.0.1:{}?ign_set_control"),
        ("", "socket://127.0.0.1:{}"),
    ],
    ids=["rfc2217", "tcp"],
)
def test_a_board_behind_a_serial_server(built, tmp_path, accepter, url):
    with device(built.board, built.image) as name, serial_server(name, accepter) as port:
        entry = single(built.board, None, url.format(port), None)
        result = flash_and_test(built.job(entry, tmp_path / "out"), _never, tmp_path)
    assert result.record.passed, result.text
    assert "360 of 360 runs" in result.text
    assert result.record.port == url.format(port)


def _never(*args, **options):
    raise AssertionError("an emulated board is not programmed")
