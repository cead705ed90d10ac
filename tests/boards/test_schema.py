"""Every key of a board file is read, and every way to break it is named with its line."""

from __future__ import annotations

import pytest

from aot.boards.board import (
    Bit,
    Clock,
    Console,
    Cpu,
    Emulation,
    Pin,
    Pins,
    RunnerConfig,
    Runners,
    Toolchain,
    Usb,
)
from aot.boards.errors import BoardFileError

from .conftest import NATIVE, TINY, LoadText


def test_reads_every_key(load_text: LoadText) -> None:
    board = load_text(TINY)
    assert (board.name, board.title, board.vendor, board.soc, board.aliases) == (
        *("tiny", "A tiny board", "Nobody", "T1"),
        ("small",),
    )
    assert board.cpu == Cpu("cortex-m4", "fpv4-sp-d16", "hard", ("dsp",))
    assert board.clock == Clock("pll", 48 * 1024 * 1024, "crystal", 8_000_000)
    assert (board.startup, board.counter) == ("cortex_m", "systick")
    assert board.toolchain == Toolchain("arm-none-eabi-gcc", "arm-none-eabi-", (8,))
    assert (board.cflags, board.ldflags) == (("-O3",), ("-Wl,--cref",))
    assert board.stack_bytes == 1024
    assert board.console == Console(
        *("usart", 0x40011000, 37, 115200, None),
        Bit(0x40023844, 4),
        Pins("gpio", 0x40020000, 0x40023830, Pin(0, 9, 7), Pin(1, 10, 4)),
        Usb(0x0483, 0x374B, 2),
        rts=False,
    )
    assert (board.console.dtr, board.console.rts) == (True, False)
    assert board.runners == Runners(
        "qemu", (RunnerConfig("openocd", ("-f", "board/tiny.cfg")), RunnerConfig("qemu", ()))
    )
    assert board.emulation == Emulation("tiny", "cortex-m4", 12.5)
    assert board.timeout_multiplier == 1.5


def test_fills_in_what_may_be_left_out(load_text: LoadText) -> None:
    board = load_text(NATIVE)
    assert board.cpu == Cpu("native", None, "soft", ())
    assert board.clock.source_hz == board.clock.hz
    assert (board.aliases, board.cflags, board.ldflags) == ((), (), ())
    console = board.console
    assert (console.base, console.interrupt, console.hz, console.usb) == (None, None, None, None)
    assert (console.enable, console.pins) == (None, Pins("none", None, None, None, None))
    assert (board.boot, board.uf2_family, board.memory.external) == (None, None, None)
    assert board.emulation is None
    assert board.timeout_multiplier == 1.0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("name: tiny", "name: Tiny", "1: name: must be lower-case letters"),
        ("name: tiny", "name: ../tiny", "1: name: must be lower-case letters"),
        ("aliases: [small]", "aliases: small", "5: aliases: must be a list"),
        ("aliases: [small]", "alias: [small]", "5: unknown key 'alias'; did you mean 'aliases'?"),
        ("counter: systick\n", "", "1: lacks the key 'counter'"),
        (
            "startup: cortex_m",
            "startup: cortex-m",
            "6: startup: unknown startup driver 'cortex-m'; did you mean 'cortex_m'? "
            "valid: cortex_m, none",
        ),
        ("startup: cortex_m", "startup: none", "6: startup: 'none' does not go with"),
        (
            "core: cortex-m4",
            "core: cortex-m44",
            "7: cpu.core: unknown core 'cortex-m44'; did you mean 'cortex-m4'?",
        ),
        ("core: cortex-m4", "core: cortex-m7", "7: cpu.fpu: unknown FPU of cortex-m7 'fpv4-sp"),
        ("fpu: fpv4-sp-d16, ", "", "7: cpu.float_abi: an FPU goes with float_abi"),
        ("float_abi: hard, ", "", "7: cpu.fpu: an FPU goes with float_abi"),
        ("float_abi: hard", "float_abi: soft", "7: cpu.float_abi: an FPU goes with float_abi"),
        ("float_abi: hard", "float_abi: hrad", "7: cpu.float_abi: unknown float ABI 'hrad'"),
        ("[dsp]", "[mve]", "7: cpu.features[0]: unknown feature of cortex-m4 'mve'"),
        ("[dsp]", "[dsp, dsp]", "7: cpu.features[1]: 'dsp' is listed twice"),
        ("driver: pll", "driver: plll", "8: clock.driver: unknown clock driver 'plll'"),
        ("source: crystal", "source: hse", "8: clock.source: unknown clock source 'hse'"),
        ("hz: 48M", "hz: 0", "8: clock.hz: must be in 1 to 4000000000"),
        ("counter: systick", "counter: dwt", "9: counter: unknown counter driver 'dwt'"),
        ("id: arm-none-eabi-gcc", "id: arm-gcc", "10: toolchain.id: unknown toolchain 'arm-gcc'"),
        ("prefix: arm-none-eabi-", "prefix: ../arm-", "10: toolchain.prefix: must be such as"),
        ("min_version: 8", "min_version: new", "10: toolchain.min_version: must be a version"),
        ("[-O3]", "[O3]", "11: cflags[0]: must be a compiler option"),
        ("[-O3]", "['-O3 -g']", "11: cflags[0]: must be a compiler option"),
        ("[-O3]", "[-ffast-math]", "11: cflags[0]: -ffast-math changes floating-point results"),
        ("[-O3]", "[-g, -ffp-contract=fast]", "11: cflags[1]: -ffp-contract=fast changes"),
        ('["-Wl,--cref"]', "[-Ofast]", "12: ldflags[0]: -Ofast changes floating-point results"),
        ("startup: cortex_m", "startup: cortex_m\nboot: blokc", "7: boot: unknown boot driver"),
        ("stack_bytes: 1K", "stack_bytes: 1004", "25: stack_bytes: must be a multiple of 8"),
        ("stack_bytes: 1K", "uf2: {}\nstack_bytes: 1K", "25: uf2: lacks the key 'family'"),
        ("stack_bytes: 1K", "stack_bytes: 8", "25: stack_bytes: must be in 256 to"),
        ("driver: usart", "driver: uart", "27: console.driver: unknown console driver 'uart'"),
        ("  base: 0x40011000\n", "", "27: console: needs base and interrupt"),
        ("0x40011000", "0x40011002", "28: console.base: must be a multiple of 4"),
        ("0x40011000", "0x140011000", "28: console.base: must be in 0 to"),
        ("interrupt: 37", "interrupt: 480", "29: console.interrupt: must be in 0 to 479"),
        ("bit: 4", "bit: 32", "31: console.enable.bit: must be in 0 to 31"),
        ("driver: gpio", "driver: gpoi", "33: console.pins.driver: unknown pins driver 'gpoi'"),
        ("0x40023830", "0x40023831", "35: console.pins.enable: must be a multiple of 4"),
        ("baud: 115200", "baud: 9", "30: console.baud: must be in 300 to"),
        ("pin: PA9", "pin: PA16", "36: console.pins.tx.pin: must be a pin such as PA9"),
        ("function: 4", "function: 32", "37: console.pins.rx.function: must be in 0 to 31"),
        ("    rx: {pin: PB10, function: 4}\n", "", "33: console.pins: lacks the key 'rx'"),
        ("vid: 0x0483", "vid: 0x10483", "39: console.usb.vid: must be in 0 to 65535"),
        ("default: qemu", "default: jlink", "41: runners.default: unknown runner 'jlink'"),
        ("openocd:", "opencd:", "42: runners: unknown key 'opencd'; did you mean 'openocd'?"),
        ("  default: qemu\n", "", "41: runners: lacks the key 'default'"),
        ("  qemu: []", "  native: []", "41: runners.default: unknown runner 'qemu'"),
        ("  qemu: []", "  qemu: []\n  native: []", "41: runners: 'native' does not go with"),
        ("emulation: {", "#", "41: runners: the runner 'qemu' and the key 'emulation' go together"),
        ("ns_per_tick: 12.5", "ns_per_tick: 0", "44: emulation.ns_per_tick: must be a number"),
        ("timeout_multiplier: 1.5", "timeout_multiplier: -1", "45: timeout_multiplier: must be a"),
    ],
)
def test_names_line_and_key_of_what_is_wrong(
    load_text: LoadText, old: str, new: str, message: str
) -> None:
    assert TINY.count(old) == 1
    with pytest.raises(BoardFileError) as caught:
        load_text(TINY.replace(old, new))
    where, _, rest = str(caught.value).partition("tiny.yaml:")
    assert where
    assert rest.startswith(message)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("core: native", "core: cortex-m3", "6: cpu: core 'cortex-m3' does not go with host-gcc"),
        ("startup: none", "startup: cortex_m", "5: startup: 'cortex_m' does not go with host-gcc"),
        (
            "driver: host, baud",
            "driver: host, base: 0, baud",
            "20: console: has neither base",
        ),
        ("  native: []", "  native: []\n  dfu: []", "22: runners: 'dfu' does not go with host-gcc"),
    ],
)
def test_the_host_is_no_microcontroller(
    load_text: LoadText, old: str, new: str, message: str
) -> None:
    assert NATIVE.count(old) == 1
    with pytest.raises(BoardFileError) as caught:
        load_text(NATIVE.replace(old, new))
    assert str(caught.value).partition("tiny.yaml:")[2].startswith(message)
