"""Finding a board's port among lists of ports."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from serial.tools import list_ports

from aot.boards.board import Usb
from aot.boards.loader import load_board
from aot.hil.ports import (
    AmbiguousPortError,
    NoPortError,
    PortInfo,
    connected_ports,
    find_port,
    same_serial_number,
)

NUCLEO = load_board("nucleo_f446re")


def st_link(device, number, pid=0x374B, location="1-2:1.2"):
    return PortInfo(device, "STM32 STLink - ST-Link VCP Ctrl", number, 0x0483, pid, location)


ONE = st_link("/dev/ttyACM0", "066CFF485550")
TWO = st_link("/dev/ttyACM1", "0672FF485077")
BUILT_IN = PortInfo("/dev/ttyS0", "ttyS0")


def with_usb(usb):
    return replace(NUCLEO, console=replace(NUCLEO.console, usb=usb))


def test_the_only_one_of_its_kind():
    assert find_port(NUCLEO, [BUILT_IN, ONE]) == "/dev/ttyACM0"


def test_a_pair_of_vendor_and_product_identifies_nothing():
    with pytest.raises(AmbiguousPortError) as caught:
        find_port(NUCLEO, [ONE, BUILT_IN, TWO])
    message = str(caught.value)
    assert "2 ports of USB device 0483:374b" in message
    for part in ("/dev/ttyACM0", "066CFF485550", "/dev/ttyACM1", "0672FF485077", "VCP Ctrl"):
        assert part in message
    assert "ttyS0" not in message
    assert "PROBE=" in message


def test_by_serial_number():
    assert find_port(NUCLEO, [ONE, TWO], "0672FF485077") == "/dev/ttyACM1"
    assert find_port(NUCLEO, [ONE, TWO], "0672ff485077") == "/dev/ttyACM1"


def test_another_serial_number_is_another_board():
    with pytest.raises(NoPortError, match="no port of serial number 0671; there is /dev/ttyACM0"):
        find_port(NUCLEO, [ONE], "0671")


def test_the_product_changes_with_the_probes_firmware():
    renewed = st_link("/dev/ttyACM0", "066C", pid=0x374E)
    assert find_port(NUCLEO, [renewed], "066C") == "/dev/ttyACM0"


def test_j_link_numbers_are_padded_with_zeros():
    assert same_serial_number("000683459357", "683459357")
    assert not same_serial_number("683459357", "683459350")


def test_by_interface():
    board = with_usb(Usb(0x1366, 0x1051, 2))
    first, second = (
        PortInfo(f"/dev/ttyACM{i}", "J-Link", "000683459357", 0x1366, 0x1051, f"1-4:1.{2 * i}")
        for i in range(2)
    )
    assert find_port(board, [first, second]) == "/dev/ttyACM1"
    assert find_port(board, [first, second], "683459357") == "/dev/ttyACM1"
    with pytest.raises(NoPortError, match=r"1366:1051, interface 2; there is /dev/ttyACM0"):
        find_port(board, [first])
    unknown = [replace(p, location=None) for p in (first, second)]
    with pytest.raises(AmbiguousPortError):
        find_port(board, unknown)
    assert find_port(board, unknown[:1]) == "/dev/ttyACM0"


@pytest.mark.parametrize(
    ("location", "interface"),
    [("1-2.4:1.0", 0), ("1-2:1.12", 12), ("1-2:x.3", 3), ("1-2", None), (None, None)],
)
def test_interface(location, interface):
    assert PortInfo("d", "", location=location).interface == interface


def test_several_ports_of_one_probe():
    both = [st_link("/dev/ttyACM0", "066C"), st_link("/dev/ttyACM1", "066C")]
    with pytest.raises(AmbiguousPortError, match=r"serial number 066C.*name the port as PORT="):
        find_port(NUCLEO, both, "066C")


def test_none_is_there():
    with pytest.raises(NoPortError, match=r"there is no serial port at all.*cable.*dialout"):
        find_port(NUCLEO, [])


def test_nothing_to_look_for():
    board = with_usb(None)
    with pytest.raises(NoPortError, match=r"names no USB device.*PORT="):
        find_port(board, [ONE])
    assert find_port(board, [ONE], "066CFF485550") == "/dev/ttyACM0"


def test_what_pyserial_tells(monkeypatch):
    port = SimpleNamespace(
        device="/dev/ttyACM0",
        description="STM32 STLink - ST-Link VCP Ctrl",
        serial_number="066CFF485550",
        vid=0x0483,
        pid=0x374B,
        location="1-2:1.2",
    )
    monkeypatch.setattr(list_ports, "comports", lambda: [port])
    assert connected_ports() == (ONE,)
