"""Cores, memories, interrupts and pin functions are those that device descriptions give parts.

modm-devices derives them from the vendors' own data; pyOCD has memory maps of its own.
"""

from __future__ import annotations

import pytest

from aot.boards.board import Board
from aot.boards.loader import board_names, load_board

from .references import joined, modm_part, pyocd_memories

PARTS = {
    "b_l475e_iot01a": "stm32l475vgt6",
    "microbit": "nrf51822-xxaa",
    "netduinoplus2": "stm32f405rgt6",
    "nrf52840dk": "nrf52840-qiaa",
    "nrf5340dk": "nrf5340-qkaa@app",
    "nucleo_f446re": "stm32f446ret6",
    "nucleo_f746zg": "stm32f746zgt6",
    "nucleo_g0b1re": "stm32g0b1ret6",
    "nucleo_h743zi2": "stm32h743zit6",
    "nucleo_l4r5zi": "stm32l4r5zit6",
    "nucleo_u575zi_q": "stm32u575zit6q",
    "rpi_pico": "rp2040",
    "rpi_pico2": "rp2350",
    "stm32f4discovery": "stm32f407vgt6",
    "stm32f746": "stm32f746ngh6",
    "stm32vldiscovery": "stm32f100rbt6",
}
WITHOUT = {
    "hifive1_revb": "modm-devices has no RISC-V parts",
    "host": "no microcontroller",
    "mps2-an385": "an FPGA image",
    "mps2-an386": "an FPGA image",
    "mps2-an500": "an FPGA image",
    "mps2-an505": "an FPGA image",
    "mps3-an547": "an FPGA image",
    "qemu-riscv32": "no microcontroller",
}
# The console's peripheral, of which test_svd.py has the base.
PORTS = {
    "b_l475e_iot01a": "usart1",
    "microbit": "uart0",
    "netduinoplus2": "usart1",
    "nrf52840dk": "uarte0",
    "nrf5340dk": "serial0",
    "nucleo_f446re": "usart2",
    "nucleo_f746zg": "usart3",
    "nucleo_g0b1re": "usart2",
    "nucleo_h743zi2": "usart3",
    "nucleo_l4r5zi": "lpuart1",
    "nucleo_u575zi_q": "usart1",
    "rpi_pico": "uart0",
    "rpi_pico2": "uart0",
    "stm32f4discovery": "usart2",
    "stm32f746": "usart1",
    "stm32vldiscovery": "usart1",
}
# Regions that the descriptions do not have, and who else says that they are there.
UNDESCRIBED = {
    ("nucleo_l4r5zi", "sram2"): "SRAM2 is given at its other address alone, 0x10000000",
    ("stm32f746", "qspi"): "outside the chip",
    ("rpi_pico", "flash"): "outside the chip",
    ("rpi_pico2", "flash"): "outside the chip",
    ("rpi_pico2", "sram"): "given with RP2040's 256 KB; RP2350 datasheet 2.2.3 has 512 KB",
    ("rpi_pico2", "scratch"): "given where RP2040 has it",
}
PYOCD = {
    "b_l475e_iot01a": "stm32l475xg",
    "microbit": "nrf51",
    "nrf52840dk": "nrf52840",
    "nucleo_h743zi2": "stm32h743xx",
    "rpi_pico": "rp2040",
}
PYOCD_UNDESCRIBED = {
    ("nucleo_h743zi2", "axi"): "left out by pyOCD",
    ("rpi_pico", "flash"): "the window of 16 MB, whatever flash there is",
}

each_part = pytest.mark.parametrize("name", sorted(PARTS))


def test_every_board_has_its_part_or_says_why_not() -> None:
    assert sorted([*PARTS, *WITHOUT]) == sorted(board_names())


def test_parts_are_those_that_the_boards_name() -> None:
    for name, part in PARTS.items():
        assert part.startswith(load_board(name).soc.lower())


@each_part
def test_core_and_fpu(name: str) -> None:
    board, part = load_board(name), modm_part(PARTS[name])
    assert board.cpu.core == part.core.replace("+", "plus")
    assert (board.cpu.fpu or None) == (part.fpu or None)


@each_part
def test_regions_are_whole_memories(name: str) -> None:
    board = load_board(name)
    assert _not_whole(board, modm_part(PARTS[name]).memories) == {
        region for board_name, region in UNDESCRIBED if board_name == name
    }


@pytest.mark.parametrize("name", sorted(PYOCD))
def test_regions_are_whole_memories_of_pyocd(name: str) -> None:
    board = load_board(name)
    assert _not_whole(board, pyocd_memories(PYOCD[name])) == {
        region for board_name, region in PYOCD_UNDESCRIBED if board_name == name
    }


def _not_whole(board: Board, memories: tuple[tuple[int, int], ...]) -> set[str]:
    """The regions that, alone or with their neighbours, fill no memory from end to end."""
    alone = [(r.origin, r.end) for r in board.memory.regions]
    whole = {span for span in (*alone, *joined(alone)) if span in memories}
    return {
        r.name
        for r in board.memory.regions
        if not any(start <= r.origin and r.end <= end for start, end in whole)
    }


@each_part
def test_the_interrupt_is_the_consoles(name: str) -> None:
    board, part = load_board(name), modm_part(PARTS[name])
    assert board.console.interrupt is not None
    # Some interrupts serve two peripherals, and have both their names.
    assert PORTS[name].upper() in part.vectors[board.console.interrupt].split("_")


@each_part
def test_the_pins_have_the_function_that_is_the_consoles(name: str) -> None:
    pins, functions = load_board(name).console.pins, modm_part(PARTS[name]).functions
    if pins.driver not in ("stm32", "rp2"):
        pytest.skip("any pin serves, or each has one function")
    if name == "rpi_pico2":
        pytest.skip("modm-devices gives RP2350 no functions of pins")
    for signal, pin in (("tx", pins.tx), ("rx", pins.rx)):
        assert pin is not None
        port = "abcdefghijk"[pin.port] if pins.driver == "stm32" else "bank0"
        assert functions[port, pin.number, PORTS[name], signal] == pin.function


def test_the_pins_of_external_flash_have_its_functions() -> None:
    board = load_board("stm32f746")
    assert board.memory.external is not None
    functions = modm_part(PARTS["stm32f746"]).functions
    signals = {
        (port, number, function): f"{peripheral} {signal}"
        for (port, number, peripheral, signal), function in functions.items()
    }
    found = [
        signals["abcdefghijk"[p.port], p.number, p.function] for p in board.memory.external.pins
    ]
    assert found == [
        *("quadspi clk", "quadspi bk1_ncs"),
        *("quadspi bk1_io0", "quadspi bk1_io1", "quadspi bk1_io2", "quadspi bk1_io3"),
    ]
