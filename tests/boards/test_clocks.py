"""The registers that clock and console drivers leave behind make the board's clock and baud rate.

The firmware runs in Unicorn over registers that only remember, and of which the status bits say
at once what the manuals promise for later. What the registers then mean is worked out here, from
the manuals' formulas.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from unicorn import UC_HOOK_MEM_READ, Uc, arm_const, riscv_const

from aot.boards.board import Board
from aot.boards.loader import load_board

from .emulated import loaded_cpu
from .linked import BARE, Linked, link_digits

Read = Callable[[int], int]
MHZ = 1_000_000
# Peripherals of every part, none of which is where some part has memory.
PERIPHERALS = ((0x40000000, 0x20000000), (0xA0000000, 0x2000))
FE310_PERIPHERALS = ((0x0C000000, 0x1000000), (0x10000000, 0x20000))
NOT_EMULATED = {
    "mps3-an547": "Unicorn knows no Armv8.1-M; its clock needs no driver",
    "qemu-riscv32": "the divisor of a 16550 cannot be read back; its clock needs no driver",
}
BOARDS = [n for n in BARE if n not in NOT_EMULATED]


@dataclass(frozen=True)
class Clocks:
    """Hz of the core and of the console's peripheral, and figures with their bounds."""

    core: float
    console: float
    bounds: tuple[tuple[float, float, float], ...] = ()


def follows(register: int, mask: int, shift: int) -> Callable[[Read], int]:
    """A status that repeats the bits ``mask`` of ``register``, ``shift`` further up."""
    return lambda read: read(register) | (read(register) & mask) << shift


def constant(value: int) -> Callable[[Read], int]:
    """A status that is always so."""
    return lambda _read: value


# RM0090, RM0385: 7.3.1 RCC_CR, 7.3.3 RCC_CFGR; 5.4.2 PWR_CSR.
_STM32F4 = {
    0x40023800: follows(0x40023800, 1 << 16 | 1 << 24, 1),
    0x40023808: follows(0x40023808, 3, 2),
    0x40007004: constant(3 << 16),
}
# RM0444, 5.4.1, 5.4.3.
_RCC_CR_G0 = follows(0x40021000, 1 << 24, 1)
# RP2040 datasheet 2.15.7, 2.16.7, 2.18.4, 2.14.3: selections are one-hot, resets end.
_NRF_STARTED = constant(1)


def _rp2(resets: int, clocks: int, xosc: int, pll: int) -> dict[int, Callable[[Read], int]]:
    return {
        resets + 8: lambda read: ~read(resets) & 0xFFFFFFFF,
        clocks + 0x38: lambda read: 1 << (read(clocks + 0x30) & 3),
        clocks + 0x44: lambda read: 1 << (read(clocks + 0x3C) & 1),
        xosc + 4: constant(1 << 31),
        pll: lambda read: read(pll) | 1 << 31,
    }


STATUS: dict[str, dict[int, Callable[[Read], int]]] = {
    "none": {},
    # RM0041, 6.3.1, 6.3.2.
    "stm32f1": {
        0x40021000: follows(0x40021000, 1 << 16 | 1 << 24, 1),
        0x40021004: follows(0x40021004, 3, 2),
    },
    "stm32f4": _STM32F4,
    "stm32f7": _STM32F4,
    "stm32g0": {0x40021000: _RCC_CR_G0, 0x40021008: follows(0x40021008, 7, 3)},
    # RM0351, 6.4.1, 6.4.3.
    "stm32l4": {0x40021000: _RCC_CR_G0, 0x40021008: follows(0x40021008, 3, 2)},
    # RM0433, 8.7.2, 8.7.7; 6.8.7 PWR_D3CR.
    "stm32h7": {
        0x58024400: follows(0x58024400, 1 << 16 | 1 << 24, 1),
        0x58024410: follows(0x58024410, 7, 3),
        0x58024818: lambda read: read(0x58024818) | 1 << 13,
    },
    # RM0456, 11.8.1, 11.8.8; 10.10.4 PWR_VOSR.
    "stm32u5": {
        0x46020C00: follows(0x46020C00, 1 << 24, 1),
        0x46020C1C: follows(0x46020C1C, 3, 2),
        0x4602080C: lambda read: read(0x4602080C) | 3 << 14,
    },
    "nrf51": {0x40000100: _NRF_STARTED},
    "nrf52": {0x40000100: _NRF_STARTED, 0x4000214C: _NRF_STARTED},
    "nrf53": {0x50005100: _NRF_STARTED, 0x5000814C: _NRF_STARTED},
    "rp2040": _rp2(0x4000C000, 0x40008000, 0x40024000, 0x40028000),
    "rp2350": _rp2(0x40020000, 0x40010000, 0x40048000, 0x40050000),
    # FE310-G002 manual, 6.3 HFXOSCCFG, 6.5 PLLCFG.
    "fe310": {
        0x10008004: follows(0x10008004, 1 << 30, 1),
        0x10008008: lambda read: read(0x10008008) | 1 << 31,
    },
}


def _bits(value: int, low: int, width: int) -> int:
    return value >> low & ((1 << width) - 1)


def _stm32f1(board: Board, read: Read) -> Clocks:
    cfgr = read(0x40021004)
    assert _bits(cfgr, 0, 2) == 2 and _bits(cfgr, 16, 1) == 1 and _bits(cfgr, 4, 10) == 0
    hz = board.clock.source_hz * (_bits(cfgr, 18, 4) + 2)
    # DS6087, "PLL characteristics".
    return Clocks(hz, hz, ((board.clock.source_hz, MHZ, 24 * MHZ), (hz, 16 * MHZ, 24 * MHZ)))


def _apb(value: int) -> int:
    return 1 << (value & 3) + 1 if value & 4 else 1


def _stm32f4(board: Board, read: Read) -> Clocks:
    cfgr, pll = read(0x40023808), read(0x40023804)
    assert _bits(cfgr, 0, 2) == 2 and _bits(cfgr, 4, 4) == 0
    assert _bits(pll, 22, 1) == (board.clock.source != "internal")
    entry = board.clock.source_hz / _bits(pll, 0, 6)
    vco = entry * _bits(pll, 6, 9)
    hz = vco / (2 * _bits(pll, 16, 2) + 2)
    apb1, apb2 = hz / _apb(_bits(cfgr, 10, 3)), hz / _apb(_bits(cfgr, 13, 3))
    assert board.console.base is not None
    # RM0090, 7.3.2; DS8626, DS10693 and DS10916, "General operating conditions".
    most = {168 * MHZ: 42 * MHZ, 180 * MHZ: 45 * MHZ, 216 * MHZ: 54 * MHZ}[board.clock.hz]
    limits = ((entry, MHZ, 2 * MHZ), (vco, 100 * MHZ, 432 * MHZ))
    buses = ((apb1, 0, most), (apb2, 0, 2 * most))
    # RM0090, table 10; RM0385, table 5: wait states at 2.7 to 3.6 V, one for each 30 MHz.
    states = (_bits(read(0x40023C00), 0, 4), (board.clock.hz - 1) // (30 * MHZ), 15)
    return Clocks(hz, apb2 if board.console.base >= 0x40010000 else apb1, (*limits, *buses, states))


def _stm32l4(board: Board, read: Read) -> Clocks:
    cfgr, pll = read(0x40021008), read(0x4002100C)
    assert _bits(cfgr, 0, 2) == 3 and _bits(cfgr, 4, 10) == 0
    assert _bits(pll, 0, 2) == 1 and _bits(pll, 24, 1) == 1
    entry = 4 * MHZ / (_bits(pll, 4, 3) + 1)
    vco = entry * _bits(pll, 8, 7)
    hz = vco / (2 * _bits(pll, 25, 2) + 2)
    # DS10969 and DS12023, "PLL characteristics"; wait states: RM0351, table 11, RM0432, table 12.
    per_state = 16 if board.clock.hz <= 80 * MHZ else 20
    states = (_bits(read(0x40022000), 0, 4), (board.clock.hz - 1) // (per_state * MHZ), 15)
    return Clocks(hz, hz, ((entry, 4 * MHZ, 16 * MHZ), (vco, 64 * MHZ, 344 * MHZ), states))


def _stm32g0(_board: Board, read: Read) -> Clocks:
    cfgr, pll = read(0x40021008), read(0x4002100C)
    assert _bits(cfgr, 0, 3) == 2 and _bits(cfgr, 8, 7) == 0
    assert _bits(pll, 0, 2) == 2 and _bits(pll, 28, 1) == 1
    entry = 16 * MHZ / (_bits(pll, 4, 3) + 1)
    vco = entry * _bits(pll, 8, 7)
    hz = vco / (_bits(pll, 29, 3) + 1)
    # DS13560, "PLL characteristics"; RM0444, table 13: 2 wait states up to 64 MHz.
    states = (_bits(read(0x40022000), 0, 3), 2, 7)
    return Clocks(hz, hz, ((entry, 2.66 * MHZ, 16 * MHZ), (vco, 96 * MHZ, 344 * MHZ), states))


def _stm32h7(board: Board, read: Read) -> Clocks:
    cfgr, select, divide = read(0x58024410), read(0x58024428), read(0x58024430)
    assert _bits(cfgr, 0, 3) == 3 and _bits(select, 0, 2) == 2
    entry = board.clock.source_hz / _bits(select, 4, 6)
    vco = entry * (_bits(divide, 0, 9) + 1)
    hz = vco / (_bits(divide, 9, 7) + 1)
    d1, d2 = read(0x58024418), read(0x5802441C)
    assert _bits(d1, 8, 4) == 0 and _bits(d1, 0, 4) == 8
    ahb = hz / 2
    apb1 = ahb / _apb(_bits(d2, 4, 3))
    # RM0433, 8.7.11: PLL1RGE 1 is 2 to 4 MHz in; DS12110: VCO, buses in VOS1; RM0433, table 17.
    assert _bits(read(0x5802442C), 2, 2) == 1 and _bits(read(0x5802442C), 1, 1) == 0
    limits = ((entry, 2 * MHZ, 4 * MHZ), (vco, 192 * MHZ, 836 * MHZ))
    buses = ((ahb, 0, 200 * MHZ), (apb1, 0, 100 * MHZ), (_bits(read(0x52002000), 0, 4), 2, 15))
    return Clocks(hz, apb1, (*limits, *buses))


def _stm32u5(_board: Board, read: Read) -> Clocks:
    pll, divide = read(0x46020C28), read(0x46020C34)
    assert _bits(read(0x46020C1C), 0, 2) == 3 and read(0x46020C20) == 0
    assert _bits(pll, 0, 2) == 1 and _bits(pll, 18, 1) == 1
    entry = 4 * MHZ / (_bits(pll, 8, 4) + 1)
    vco = entry * (_bits(divide, 0, 9) + 1)
    hz = vco / (_bits(divide, 24, 7) + 1)
    # DS13737, "PLL characteristics"; RM0456, table 54: 4 wait states in range 1.
    states = (_bits(read(0x40022000), 0, 4), 4, 15)
    return Clocks(hz, hz, ((entry, 4 * MHZ, 16 * MHZ), (vco, 128 * MHZ, 544 * MHZ), states))


def _rp2_clocks(clocks: int, pll: int) -> Callable[[Board, Read], Clocks]:
    def work_out(board: Board, read: Read) -> Clocks:
        assert _bits(read(clocks + 0x3C), 0, 1) == 1 and _bits(read(clocks + 0x3C), 5, 3) == 0
        # The console's clock is that of the system: CLK_PERI, AUXSRC 0, enabled.
        assert read(clocks + 0x48) == 1 << 11
        entry = board.clock.source_hz / _bits(read(pll), 0, 6)
        vco = entry * _bits(read(pll + 8), 0, 12)
        hz = vco / _bits(read(pll + 12), 16, 3) / _bits(read(pll + 12), 12, 3)
        # RP2040 datasheet 2.18.2.
        return Clocks(hz, hz, ((entry, 5 * MHZ, 800 * MHZ), (vco, 750 * MHZ, 1600 * MHZ)))

    return work_out


def _fe310(board: Board, read: Read) -> Clocks:
    pll = read(0x10008008)
    assert _bits(pll, 16, 3) == 0b011  # selected, from the crystal, not passed by
    assert read(0x1000800C) == 1 << 8
    entry = board.clock.source_hz / (_bits(pll, 0, 3) + 1)
    vco = entry * 2 * (_bits(pll, 4, 6) + 1)
    hz = vco / (1 << _bits(pll, 10, 2))
    # FE310-G002 manual, 6.5.
    return Clocks(hz, hz, ((entry, 6 * MHZ, 12 * MHZ), (vco, 384 * MHZ, 768 * MHZ)))


def _fixed(board: Board, _read: Read) -> Clocks:
    return Clocks(board.clock.hz, board.console.hz or board.clock.hz)


CLOCKS: dict[str, Callable[[Board, Read], Clocks]] = {
    "stm32f1": _stm32f1,
    "stm32f4": _stm32f4,
    "stm32f7": _stm32f4,
    "stm32g0": _stm32g0,
    "stm32h7": _stm32h7,
    "stm32l4": _stm32l4,
    "stm32u5": _stm32u5,
    "rp2040": _rp2_clocks(0x40008000, 0x40028000),
    "rp2350": _rp2_clocks(0x40010000, 0x40050000),
    "fe310": _fe310,
    # These run at one speed, the driver of nRF only chooses the better oscillator.
    "nrf51": _fixed,
    "nrf52": _fixed,
    "nrf53": _fixed,
    "none": _fixed,
}

# Baud rate from a peripheral's clock and its registers from a base, by console driver.
BAUD: dict[str, Callable[[float, Read], float]] = {
    "stm32_usart_v1": lambda hz, at: hz / at(0x08),
    "stm32_usart_v2": lambda hz, at: hz / at(0x0C),
    "stm32_lpuart": lambda hz, at: 256 * hz / at(0x0C),
    "pl011": lambda hz, at: hz / 16 / (at(0x24) + at(0x28) / 64),
    "sifive": lambda hz, at: hz / (at(0x18) + 1),
    "cmsdk": lambda hz, at: hz / at(0x10),
    "nrf_uart": lambda _hz, at: at(0x524) * 16 * MHZ / 2**32,
    "nrf_uarte": lambda _hz, at: at(0x524) * 16 * MHZ / 2**32,
}


def run_to_session(linked: Linked) -> tuple[Uc, int, int]:
    """Runs up to the first command; the processor, and the Hz that the drivers have told."""
    cpu, reset = loaded_cpu(linked)
    arm = linked.board.toolchain.id == "arm-none-eabi-gcc"
    for start, size in PERIPHERALS if arm else FE310_PERIPHERALS:
        cpu.mem_map(start, size)
    status = STATUS[linked.board.clock.driver]

    def read(address: int) -> int:
        return int.from_bytes(cpu.mem_read(address, 4), "little")

    def answer(_cpu: Uc, _kind: int, address: int, _size: int, _value: int, _data: object) -> None:
        if address in status:
            cpu.mem_write(address, status[address](read).to_bytes(4, "little"))

    cpu.hook_add(UC_HOOK_MEM_READ, answer)
    first, second = (
        (arm_const.UC_ARM_REG_R0, arm_const.UC_ARM_REG_R1)
        if arm
        else (riscv_const.UC_RISCV_REG_A0, riscv_const.UC_RISCV_REG_A1)
    )
    counter = arm_const.UC_ARM_REG_PC if arm else riscv_const.UC_RISCV_REG_PC
    told = []
    at = reset
    for symbol, register in (("console_init", first), ("session_start", second)):
        end = linked.symbols[symbol] & ~1
        cpu.emu_start(at | int(arm), end, count=2_000_000)
        at = cpu.reg_read(counter) & ~1
        assert at == end, f"the firmware did not reach {symbol}"
        told.append(cpu.reg_read(register))
    return cpu, told[1], told[0]


def test_every_driver_is_known() -> None:
    boards = [load_board(n) for n in BARE]
    assert {b.clock.driver for b in boards} == set(CLOCKS) == set(STATUS)
    assert {b.console.driver for b in boards} == {*BAUD, "ns16550"}


@pytest.mark.parametrize("name", BOARDS)
def test_clock_and_baud_rate(name: str, tmp_path: Path) -> None:
    linked = link_digits(name, tmp_path)
    board = linked.board
    cpu, core_hz, console_hz = run_to_session(linked)

    def read(address: int) -> int:
        return int.from_bytes(cpu.mem_read(address, 4), "little")

    clocks = CLOCKS[board.clock.driver](board, read)
    assert core_hz == board.clock.hz == pytest.approx(clocks.core)
    if not board.clock.driver.startswith("nrf"):
        assert console_hz == pytest.approx(clocks.console)
    for value, low, high in clocks.bounds:
        assert low <= value <= high
    assert board.console.base is not None
    base = board.console.base
    baud = BAUD[board.console.driver](clocks.console, lambda offset: read(base + offset))
    # Two ends that are off by 2 % each still agree on the tenth bit of a frame.
    assert baud == pytest.approx(board.console.baud, rel=0.02)
