"""Addresses, interrupts and bits of boards and drivers are those of the vendors' CMSIS-SVD files.

pyOCD carries some; ``MICROAOT_SVDS`` may name a folder with the others, under the names below.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import reduce
from operator import or_
from pathlib import Path

import pytest
from pyocd.coresight import core_ids
from pyocd.coresight.cortex_m import CortexM
from pyocd.coresight.dwt import DWT

from aot.boards.board import Board
from aot.boards.firmware import board_defines, firmware_sources
from aot.boards.loader import board_names, load_board
from aot.resources import data_dir

from .references import Register, Svd, pyocd_svd, read_svd

# Board -> the file of its family that pyOCD carries.
CARRIED = {
    "b_l475e_iot01a": "STM32L4x5.svd",
    "microbit": "nrf51.svd",
    "netduinoplus2": "STM32F41x.svd",
    "nrf52840dk": "nrf52840.svd",
    "nucleo_f446re": "STM32F429x.svd",
    "nucleo_l4r5zi": "STM32L4x5.svd",
    "stm32f4discovery": "STM32F41x.svd",
    "stm32vldiscovery": "STM32F103xx.svd",
}
# Board -> file of its part, checked where MICROAOT_SVDS has it, for no package on PyPI does.
ELSEWHERE = {
    "hifive1_revb": "e310x.svd",
    "nrf5340dk": "nrf5340_application.svd",
    "nucleo_f746zg": "STM32F7x6.svd",
    "nucleo_g0b1re": "STM32G0B1.svd",
    "nucleo_h743zi2": "STM32H743x.svd",
    "nucleo_u575zi_q": "STM32U575.svd",
    "rpi_pico": "rp2040.svd",
    "rpi_pico2": "rp2350.svd",
    "stm32f746": "STM32F7x6.svd",
}
# Exact parts where pyOCD has the family only.
BETTER = {
    "netduinoplus2": "STM32F405.svd",
    "nucleo_f446re": "STM32F446.svd",
    "nucleo_l4r5zi": "STM32L4R5.svd",
    "stm32f4discovery": "STM32F407.svd",
    "stm32vldiscovery": "STM32F100xx.svd",
}
WITHOUT = {
    "host": "an operating system's program has no registers",
    "mps2-an385": "Arm publishes no SVD of the FPGA images; QEMU runs this board in tests",
    "mps2-an386": "Arm publishes no SVD of the FPGA images; QEMU runs this board in tests",
    "mps2-an500": "Arm publishes no SVD of the FPGA images; QEMU runs this board in tests",
    "mps2-an505": "Arm publishes no SVD of the FPGA images; QEMU runs this board in tests",
    "mps3-an547": "Arm publishes no SVD of the FPGA images; QEMU runs this board in tests",
    "qemu-riscv32": "the machine exists in QEMU alone, which runs this board in tests",
}

# Files that leave out a port's interrupt; other data have it (test_parts.py).
WITHOUT_INTERRUPT = {("nucleo_l4r5zi", "STM32L4x5.svd")}

CASES = [(n, f) for n, f in sorted(CARRIED.items())]
CASES += [(n, f) for n, f in sorted((ELSEWHERE | BETTER).items())]
each_board = pytest.mark.parametrize(("name", "file"), CASES)


def test_every_board_is_checked_or_says_why_not() -> None:
    assert sorted([*CARRIED, *ELSEWHERE, *WITHOUT]) == sorted(board_names())


def svd_of(name: str, file: str) -> Svd:
    """The SVD of a case; skips where only MICROAOT_SVDS could have it and has not."""
    if CARRIED.get(name) == file:
        return pyocd_svd(file)
    path = Path(os.environ.get("MICROAOT_SVDS", "")) / file
    if "MICROAOT_SVDS" not in os.environ or not path.is_file():
        pytest.skip(f"no package on PyPI carries {file}; MICROAOT_SVDS names no folder with it")
    return read_svd(path.read_bytes())


# -- the board file


def peripheral_of(board: Board, svd: Svd) -> str:
    """The serial port that the console's base belongs to."""
    assert board.console.base is not None
    found = [n for n in svd.peripherals_at(board.console.base) if "UART" in _family(n)]
    assert found, f"{board.console.base:#x} is no serial port's base"
    return found[0]


def _family(peripheral: str) -> str:
    return peripheral.upper().replace("USART", "UART")


@each_board
def test_the_console_is_a_serial_port_with_that_interrupt(name: str, file: str) -> None:
    board, svd = load_board(name), svd_of(name, file)
    port = peripheral_of(board, svd)
    numbers = {n.upper(): v for n, v in svd.interrupts.items()}
    wanted = [v for n, v in numbers.items() if port.upper() in re.split(r"_(?!IRQ)", n)]
    wanted += [v for n, v in numbers.items() if n == f"{port.upper()}_IRQ"]
    # nRF5340: UARTE0 is a part of SERIAL0, and the interrupt is called after that.
    wanted += [v for n, v in numbers.items() if n == "SERIAL0" and port.startswith("UARTE0")]
    if not wanted and (name, file) in WITHOUT_INTERRUPT:
        pytest.skip(f"{file} gives {port} no interrupt")
    assert set(wanted) == {board.console.interrupt}


@each_board
def test_the_enable_bit_is_that_ports(name: str, file: str) -> None:
    board, svd = load_board(name), svd_of(name, file)
    if board.console.enable is None:
        pytest.skip("the port needs no enabling")
    port = peripheral_of(board, svd)
    fields = [f for r in svd.at(board.console.enable.register) for f in r.fields]
    (field,) = [f for f in fields if f.low == board.console.enable.bit]
    assert field.width == 1
    assert field.name.upper() in (f"{port}EN", port)


@each_board
def test_ports_and_their_enable_bits(name: str, file: str) -> None:
    board, svd = load_board(name), svd_of(name, file)
    pins = board.console.pins
    if pins.base is None:
        pytest.skip("the pins need no driver")
    if not pins.driver.startswith("stm32"):
        assert svd.peripherals_at(pins.base)[0] in ("IO_BANK0", "GPIO0")
        return
    assert pins.enable is not None
    fields = [f for r in svd.at(pins.enable) for f in r.fields]
    first = 2 if pins.driver == "stm32f1" else 0
    external = board.memory.external
    for pin in (pins.tx, pins.rx, *(() if external is None else external.pins)):
        assert pin is not None
        letter = "ABCDEFGHIJK"[pin.port]
        assert f"GPIO{letter}" in svd.peripherals_at(pins.base + 0x400 * pin.port)
        (field,) = [f for f in fields if f.low == first + pin.port]
        assert field.name in (f"GPIO{letter}EN", f"IOP{letter}EN")


# -- the drivers

# DDI 0403 (Armv7-M), B3.1: the core's own registers, which SVDs leave out.
PRIVATE_PERIPHERAL_BUS = 0xE0000000
# Start-up code and boot blocks reach the core alone, or have tests of their own.
DRIVERS = ("clock/", "console/", "counter/", "memory/", "pins/")
# An address between two buses; a key.
NO_REGISTERS = ("APB2_BASE", "LAR_KEY")
# SysTick's; bits that are reserved.
NO_FIELDS = ("CSR_RUN", "PLLCFGR_RESET")

# What a driver calls a register -> what SVDs call it, where the one does not end the other.
REGISTERS = {
    "CACHE_ENABLE": "ENABLE",
    "PWR_CR": "CR1",
    "PWR_CSR": "CSR1",
    "UART_PSELRXD": "PSEL_RXD",
    "UART_PSELTXD": "PSEL_TXD",
    "USART_CR1": "CR1_FIFO_ENABLED",
    "USART_ISR": "ISR_FIFO_ENABLED",
    "clocks_peri": "CLK_PERI_CTRL",
    "clocks_ref": "CLK_REF_CTRL",
    "clocks_sys": "CLK_SYS_CTRL",
    "pll_sys": "CS",
    "resets": "RESET",
    "xosc": "CTRL",
}
# What a driver calls a value -> the fields, any of these, that it is put together from.
FIELDS = {
    "ACR_FAST": ("LATENCY", "PRFTEN", "ICEN", "DCEN", "ARTEN", "WRHIGHFREQ"),
    "AHB2ENR_SRAMS": ("SRAM1EN", "SRAM2EN", "SRAM3EN"),
    "CCR_ADDRESS_1_LINE": ("ADMODE",),
    "CCR_ADDRESS_24_BITS": ("ADSIZE",),
    "CCR_DATA_4_LINES": ("DMODE",),
    "CCR_DUMMY_8": ("DCYC",),
    "CCR_INSTRUCTION_1_LINE": ("IMODE",),
    "CCR_MEMORY_MAPPED": ("FMODE",),
    "CCR_READ": ("INSTRUCTION",),
    "CFGR_BUSES": ("PPRE1", "PPRE2"),
    "CFGR_SW_PLL": ("SW", "SW1", "SW0"),
    "CFGR_SWS_PLL": ("SWS", "SWS1", "SWS0"),
    "D1CFGR_HALF": ("HPRE", "D1PPRE"),
    "D2CFGR_HALF": ("D2PPRE1", "D2PPRE2"),
    "D3CFGR_HALF": ("D3PPRE",),
    "D3CR_VOS1": ("VOS",),
    "ENABLE_UART": ("ENABLE",),
    "ENABLE_UARTE": ("ENABLE",),
    "IE_RX": ("rxwm",),
    "BITMODE_32": ("BITMODE",),
    "PLLCFGR_FAST": ("PLL1RGE", "DIVP1EN"),
    "PLLCFGR_HSE": ("PLLSRC",),
    "PLLCFGR_HSI": ("PLLSRC",),
    "PLLCFGR_MSI": ("PLLSRC",),
    "PLLCFGR_REN": ("PLLREN",),
    "PLLCFGR_R_HALF": ("PLLR",),
}
# What parts lack that a driver touches only where the board asks for it, and what SVDs lack.
ABSENT = {
    "CR_ODEN": "over-drive: STM32F42x and later; RM0090 (STM32F405/407) has none",
    "CR_ODSWEN": "as CR_ODEN",
    "CSR_ODRDY": "as CR_ODEN",
    "CSR_ODSWRDY": "as CR_ODEN",
    "PWR_CR5": "STM32L4+: RM0432, 5.4.5; ST's SVD of STM32L4R5 leaves it out",
    "CR5_R1MODE": "as PWR_CR5",
    "ACR_LATENCY": "STM32L4+ has 4 bits (RM0432, 3.7.1), ST's SVDs 3; the fourth reads 0 before",
}


@dataclass(frozen=True)
class Macros:
    """What the drivers of a board define: addresses of registers, and other constants."""

    addresses: dict[str, int]
    constants: dict[str, int]


def macros_of(board: Board) -> Macros:
    """The macros of the board's drivers, as the preprocessor sees them with its definitions."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is missing")
    firmware = data_dir("firmware")
    headers = "".join(p.read_text() for p in sorted((firmware / "include").glob("*.h")))
    addresses: dict[str, int] = {}
    constants: dict[str, int] = {}
    for source in firmware_sources(board):
        if not source.startswith(DRIVERS):
            continue
        text = (firmware / source).read_text()
        defined = set(re.findall(r"#define (\w+) ", text + headers))
        bodies = _preprocessed(board, firmware / source, defined)
        for name, body in bodies.items():
            value = _value(body, bodies)
            if value is None:
                continue
            if name.startswith("BOARD_"):
                continue
            is_address = re.search(r"REGISTER|\bUART\(|0x[0-9a-fA-F]{8}u", body)
            (addresses if is_address else constants)[name] = value
        for name, value in re.findall(r"\.(\w+) = (0x[0-9a-f]{8})u", text):
            addresses[name] = int(value, 16)
    return Macros(addresses, constants)


def _preprocessed(board: Board, source: Path, names: set[str]) -> dict[str, str]:
    include = data_dir("firmware") / "include"
    defines = [f"-D{n}={v}" for n, v in board_defines(board)]
    listing = subprocess.run(
        ["gcc", "-E", "-dM", f"-I{include}", *defines, str(source)],
        capture_output=True,
        text=True,
        check=True,
    )
    macros = dict(re.findall(r"#define (\w+) (.+)", listing.stdout))
    wanted = names | {n for n, _ in board_defines(board)}
    return {n: body for n, body in macros.items() if n in wanted}


def _value(body: str, bodies: dict[str, str]) -> int | None:
    """The value of an integer expression over the macros ``bodies``; None for anything else."""
    text = body
    for _ in range(8):
        text = re.sub(
            r"\b[A-Z]\w+\b", lambda m: f"({bodies[m[0]]})" if m[0] in bodies else m[0], text
        )
    text = re.sub(r"\b(REGISTER|UART)\b", "", text)
    text = re.sub(r"\b(0x[0-9a-fA-F]+|[0-9]+)[uU]?\b", r"\1", text).replace("/", "//")
    if not re.fullmatch(r"[-+*/<>|&()~x0-9a-fA-F ]+", text):
        return None
    return int(eval(text, {"__builtins__": {}}))


@each_board
def test_addresses_in_drivers_are_registers_of_those_names(name: str, file: str) -> None:
    board, svd = load_board(name), svd_of(name, file)
    wrong = []
    for macro, address in sorted(macros_of(board).addresses.items()):
        if macro in NO_REGISTERS or address >= PRIVATE_PERIPHERAL_BUS:
            continue
        names = [*svd.peripherals_at(address), *(r.name for r in svd.at(address))]
        if not names and macro in ABSENT:
            continue
        wanted = {_plain(macro), _plain(REGISTERS.get(macro, macro))}
        if not any(w == n or w.endswith(f"_{n}") for w in wanted for n in map(_plain, names)):
            wrong.append(f"{macro} at {address:#x}, where there is {sorted(set(names))}")
    assert wrong == []


def _plain(name: str) -> str:
    """Tasks and events in Nordic's plural, numbers without `_` before them, capital letters."""
    name = re.sub(r"\b(UART_)?(TASK|EVENT)_", r"\2S_", name)
    return re.sub(r"_(?=[0-9])", "", name).upper()


@each_board
def test_bits_in_drivers_are_fields_of_those_names(name: str, file: str) -> None:
    board, svd = load_board(name), svd_of(name, file)
    macros = macros_of(board)
    registers: dict[str, list[Register]] = {}
    for macro, address in macros.addresses.items():
        if address >= PRIVATE_PERIPHERAL_BUS:
            continue
        registers.setdefault(macro.rpartition("_")[2], []).extend(svd.at(address))
    wrong = []
    for macro, value in sorted(macros.constants.items()):
        prefix, _, rest = macro.partition("_")
        if not registers.get(prefix) or macro in ABSENT or macro in NO_FIELDS:
            continue
        fields = [f for r in registers[prefix] for f in r.fields]
        masks = [f.mask for f in fields if f"{rest}_".startswith(f"{f.name}_")]
        parts = [f.mask for f in fields if f.name in FIELDS.get(macro, ())]
        masks.append(reduce(or_, parts, 0))
        if not any(value & ~mask == 0 for mask in masks):
            wrong.append(f"{macro} = {value:#x}, outside {[(f.name, f.low) for f in fields]}")
    assert wrong == []


@each_board
def test_reserved_bits_of_the_pll_stay_as_after_reset(name: str, file: str) -> None:
    macros = macros_of(load_board(name))
    if "PLLCFGR_RESET" not in macros.constants:
        pytest.skip("another kind of PLL")
    (register,) = svd_of(name, file).at(macros.addresses["RCC_PLLCFGR"])
    assert register.reset & ~0x0FFFFFFF == macros.constants["PLLCFGR_RESET"]


# -- what every Cortex-M has


def test_registers_of_the_core_are_where_pyocd_reaches_them() -> None:
    startup = (data_dir("firmware") / "startup" / "cortex_m.c").read_text()
    headers = [data_dir("firmware") / n for n in ("include/systick.h", "counter/dwt.c")]
    text = startup + "".join(p.read_text() for p in headers)
    values = {
        name: int(value.rstrip("u"), 16)
        for name, value in re.findall(r"#define (\w+) (?:REGISTER\()?(0x[0-9a-f]+u)", text)
    }
    assert {n: values[n] for n in ("CPUID", "VTOR", "CPACR", "ICIALLU", "DEMCR")} == {
        "CPUID": CortexM.CPUID,
        "VTOR": CortexM.VTOR,
        "CPACR": CortexM.CPACR,
        "ICIALLU": CortexM.ICIALLU,
        "DEMCR": CortexM.DEMCR,
    }
    assert values["NVIC_ICER"] == CortexM.NVIC_ICER0
    assert values["SYST_CSR"] == CortexM.SYSTICK_CSR
    assert values["DWT_CYCCNT"] - values["DWT_CTRL"] == DWT.DWT_CYCCNT - DWT.DWT_CTRL
    assert values["CPUID_CORTEX_M7"] == core_ids.ARM_CortexM7
    assert "CPACR_FPU (15u << 20)" in text and CortexM.CPACR_CP10_CP11_MASK == 15 << 20
    assert "DEMCR_TRCENA (1u << 24)" in text and CortexM.DEMCR_TRCENA == 1 << 24
