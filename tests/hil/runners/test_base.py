"""Probes that are no serial numbers, and images that are not there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aot.hil.runners.errors import ImageError, ProbeError
from tests.hil.runners.bench import Bench


@pytest.fixture
def bench(tmp_path, monkeypatch):
    line = "Open On-Chip Debugger 0.12.0"
    return Bench(tmp_path, monkeypatch, "stm32f746", "openocd", "openocd", line)


@pytest.mark.parametrize(
    "probe", ["", "-f", "a b", "a;exit", "a,b", "a\n", "$x", "[exit]", "x" * 65, "ä"]
)
def test_probes_that_are_no_serial_numbers(bench, probe):
    with pytest.raises(ProbeError, match="is no serial number"):
        bench.does("exit 9").flash(probe)


def test_no_image(bench):
    bench.elf.unlink()
    with pytest.raises(ImageError, match=r"firmware\.elf is not there; build the firmware first"):
        bench.says("** Verified OK **").flash()


def test_constants_that_a_raw_image_lacks(tmp_path, monkeypatch):
    bench = Bench(tmp_path, monkeypatch, "stm32f4discovery", "dfu", "dfu-util", "dfu-util 0.11")
    memory = bench.board.memory
    qspi = replace(memory.region("flash"), name="qspi", origin=0x90000000)
    pool = replace(bench.board.pools[-1], name="qspi", region="qspi")
    bench.board = replace(
        bench.board,
        memory=replace(memory, regions=(*memory.regions, qspi)),
        pools=(*bench.board.pools, pool),
    )
    with pytest.raises(ImageError, match=r"a \.bin image lacks the constants in region qspi"):
        bench.flash()
