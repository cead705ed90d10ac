"""Drivers are what the firmware folder has files for."""

from __future__ import annotations

from pathlib import Path

from aot.boards.drivers import common_sources, driver_names, driver_source
from aot.boards.loader import board_names, load_board
from aot.resources import data_dir


def test_lists_the_drivers_of_a_kind(drivers: Path) -> None:
    assert driver_names(drivers, "console") == ("host", "usart")
    assert driver_names(drivers, "startup") == ("cortex_m", "none")
    assert driver_source("console", "usart") == "console/usart.c"


def test_other_sources_serve_every_board(drivers: Path) -> None:
    assert common_sources(drivers, is_bare=True) == ("main.c", "protocol.c", "bare/receive.c")
    assert common_sources(drivers, is_bare=False) == ("main.c", "protocol.c", "hosted/stack.c")


def test_a_board_uses_every_driver_of_the_firmware() -> None:
    boards = [load_board(name) for name in board_names()]
    firmware = data_dir("firmware")
    assert {b.boot for b in boards} - {None} == set(driver_names(firmware, "boot"))
    assert {b.console.driver for b in boards} == set(driver_names(firmware, "console"))
    assert {b.console.pins.driver for b in boards} == set(driver_names(firmware, "pins"))
    assert {b.clock.driver for b in boards} == set(driver_names(firmware, "clock"))
    assert {b.counter for b in boards} == set(driver_names(firmware, "counter"))
    externals = {b.memory.external.driver for b in boards if b.memory.external is not None}
    assert externals | {"none"} == set(driver_names(firmware, "memory"))
    assert {b.startup for b in boards} == set(driver_names(firmware, "startup"))
