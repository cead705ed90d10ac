"""Probes are read from sysfs, other USB devices are not."""

from __future__ import annotations

from pathlib import Path

from aot.hil.probes import Probe, connected_probes


def device(folder: Path, **files: str) -> None:
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(f"{text}\n")


def test_probes_of_known_vendors(tmp_path: Path) -> None:
    devices = tmp_path / "devices"
    device(devices / "usb1", idVendor="1d6b", idProduct="0002", busnum="1", devnum="1")
    device(devices / "1-2:1.0")
    device(
        devices / "1-2",
        **{"idVendor": "0483", "idProduct": "374b", "product": "STM32 STLink"},
        **{"serial": "0669FF", "busnum": "1", "devnum": "7"},
    )
    (found,) = connected_probes(devices, tmp_path / "bus")
    node = tmp_path / "bus" / "001" / "007"
    assert found == Probe(0x0483, 0x374B, "STM32 STLink", "0669FF", node)
    assert str(found) == ("STMicroelectronics STM32 STLink (0483:374b, serial number 0669FF)")


def test_a_machine_without_sysfs(tmp_path: Path) -> None:
    assert connected_probes(tmp_path / "none") == ()
