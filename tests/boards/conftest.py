"""A small board, the folder of drivers that it names, and a way to load variations of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from aot.boards.board import Board
from aot.boards.schema import board_from
from aot.boards.yaml_reader import read_yaml

TINY = """\
name: tiny
title: A tiny board
vendor: Nobody
soc: T1
aliases: [small]
startup: cortex_m
cpu: {core: cortex-m4, fpu: fpv4-sp-d16, float_abi: hard, features: [dsp]}
clock: {driver: pll, hz: 48M, source: crystal, source_hz: 8000000}
counter: systick
toolchain: {id: arm-none-eabi-gcc, prefix: arm-none-eabi-, min_version: 8}
cflags: [-O3]
ldflags: ["-Wl,--cref"]
memory:
  regions:
    - {name: flash, origin: 0x08000000, size: 64K, access: rx, cacheable: true}
    - {name: fast, origin: 0x10000000, size: 4K, access: rw, dma: false}
    - {name: ram, origin: 0x20000000, size: 16K, access: rw}
  code: flash
  data: ram
  stack: fast
pools:
  - {name: fast, region: fast, kind: workspace, alignment: 8, read_latency: 1}
  - {name: main, region: ram, kind: workspace, size_limit: 8K, read_bandwidth: 2.5}
  - {name: weights, region: flash, kind: constant}
stack_bytes: 1K
console:
  driver: usart
  base: 0x40011000
  interrupt: 37
  baud: 115200
  enable: {register: 0x40023844, bit: 4}
  pins:
    driver: gpio
    base: 0x40020000
    enable: 0x40023830
    tx: {pin: PA9, function: 7}
    rx: {pin: PB10, function: 4}
  rts: false
  usb: {vid: 0x0483, pid: 0x374B, interface: 2}
runners:
  default: qemu
  openocd: [-f, board/tiny.cfg]
  qemu: []
emulation: {machine: tiny, cpu: cortex-m4, ns_per_tick: 12.5}
timeout_multiplier: 1.5
"""

NATIVE = """\
name: tiny
title: A program
vendor: none
soc: native
startup: none
cpu: {core: native}
clock: {driver: host, hz: 1000000000, source: internal}
counter: host
toolchain: {id: host-gcc, min_version: 8}
memory:
  regions:
    - {name: image, origin: 0x00000000, size: 1M, access: rx}
    - {name: ram, origin: 0x10000000, size: 1M, access: rw}
  code: image
  data: ram
  stack: ram
pools:
  - {name: ram, region: ram, kind: workspace}
stack_bytes: 64K
console: {driver: host, baud: 115200}
runners:
  default: native
  native: []
"""

LoadText = Callable[[str], Board]


@pytest.fixture
def drivers(tmp_path: Path) -> Path:
    """A firmware folder with the drivers of TINY and NATIVE, and sources of no driver."""
    folder = tmp_path / "drivers"
    for name in (
        *("boot/block", "startup/cortex_m", "console/usart", "console/host"),
        *(
            "pins/gpio",
            "pins/none",
            "clock/pll",
            "clock/host",
            "memory/none",
            "memory/nor",
            "counter/systick",
            "counter/host",
        ),
        *("main", "protocol", "bare/receive", "hosted/stack"),
    ):
        path = folder / f"{name}.c"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    return folder


@pytest.fixture
def load_text(tmp_path: Path, drivers: Path) -> LoadText:
    """Loads a board from text, as the file tiny.yaml."""

    def load(text: str) -> Board:
        path = tmp_path / "tiny.yaml"
        path.write_text(text)
        return board_from(read_yaml(path), drivers)

    return load


@pytest.fixture
def tiny(load_text: LoadText) -> Board:
    return load_text(TINY)


@pytest.fixture
def native(load_text: LoadText) -> Board:
    return load_text(NATIVE)
