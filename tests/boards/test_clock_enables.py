"""After a driver switches on a peripheral's clock, it lets some cycles pass.

STM32 reference manuals, section RCC ("Peripheral clock enable"): two cycles must pass before the
peripheral's registers are read or written; reading the enable register back takes them.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from aot.resources import data_dir

ENABLE = re.compile(r"^ *((?:REGISTER\()?(?:RCC_\w*ENR\w*|BOARD_PINS_ENABLE)\)?) \|= [^;]*;", re.M)


def sources() -> list[Path]:
    """Sources and headers of drivers that switch on clocks."""
    firmware = data_dir("firmware")
    found = [*firmware.glob("clock/*.c"), *firmware.glob("memory/*.c"), *firmware.glob("pins/*.c")]
    found += firmware.glob("include/stm32*.h")
    return sorted(p for p in found if ENABLE.search(p.read_text()))


def test_several_drivers_do_so() -> None:
    assert {p.name for p in sources()} >= {"stm32h7.c", "stm32l4.c", "stm32u5.c", "stm32_pll.h"}


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.name)
def test_the_register_is_read_back_at_once(path: Path) -> None:
    text = path.read_text()
    for match in ENABLE.finditer(text):
        assert text[match.end() :].lstrip().startswith(f"(void){match[1]};"), match[0]
