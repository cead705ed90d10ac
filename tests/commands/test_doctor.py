"""`microaot doctor`: what is missing for which board, on machines made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from aot.boards.loader import load_board
from aot.commands.doctor import Machine, examine
from aot.hil.ports import PortInfo
from aot.hil.probes import Probe
from tests.hil.scripts import script
from tests.support.native import gcc

PORT = PortInfo("/dev/ttyACM0", "ST-Link", "066C", 0x0483, 0x374B)


PROBE = Probe(0x0483, 0x374B, "STLink", "066C", Path("/dev/bus/usb/001/007"))


def machine(
    ports=(PORT,),
    probes=(PROBE,),
    groups=("dialout",),
    usable=True,
    rules='ATTRS{idVendor}=="0483"',
):
    return Machine(
        lambda: ports, lambda: probes, lambda: groups, lambda device: usable, lambda: rules
    )


def test_the_host_needs_a_compiler_alone(capsys, monkeypatch):
    gcc()
    assert examine([load_board("host")], machine(ports=())) == 0
    monkeypatch.setenv("PATH", "")
    assert examine([load_board("host")], machine()) == 1
    assert "on Debian the package gcc" in capsys.readouterr().out


def test_an_emulator_that_is_missing(capsys, monkeypatch, tmp_path):
    script(tmp_path / "arm-none-eabi-gcc", "echo 12.2.1")
    script(tmp_path / "arm-none-eabi-objcopy", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert examine([load_board("mps2-an386")], machine()) == 1
    assert "on Debian the package qemu-system-arm" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (machine(ports=()), "no serial port is there"),
        (machine(groups=()), "note     the user is not in the group dialout"),
        (machine(), "ok       the user is in the group dialout"),
        (machine(), "ok       udev has a rule for USB vendor 0483"),
        (machine(), "ok       probe STMicroelectronics STLink (0483:374b, serial number 066C)"),
        (machine(probes=()), "note     no debug probe is on USB"),
        (machine(usable=False), "missing  probe STMicroelectronics STLink"),
        (machine(usable=False), "/dev/ttyACM0 (ST-Link, 0483:374b, serial number 066C) cannot be"),
        (machine(rules=""), "no udev rule for USB vendor 0483"),
    ],
)
def test_the_way_to_a_real_board(capsys, found, words):
    examine([load_board("nucleo_f446re")], found)
    assert words in capsys.readouterr().out
