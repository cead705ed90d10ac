"""A firmware plan names every source, folder and macro of a build."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from aot.boards.board import Board
from aot.boards.build import build_firmware
from aot.boards.errors import FirmwareSourceError
from aot.boards.firmware import board_defines, firmware_plan, firmware_sources
from aot.boards.linker import linker_script
from aot.boards.loader import board_names, load_board
from aot.resources import data_dir


@pytest.mark.parametrize("name", board_names())
def test_every_source_of_a_board_is_there(name: str) -> None:
    sources = firmware_sources(load_board(name))
    assert len(set(sources)) == len(sources)
    assert "main.c" in sources
    for source in sources:
        assert (data_dir("firmware") / source).is_file()


def test_a_board_takes_one_driver_of_each_kind() -> None:
    sources = firmware_sources(load_board("stm32f746"))
    assert [s for s in sources if "/" in s and not s.startswith("bare/")] == [
        *("startup/cortex_m.c", "pins/stm32.c"),
        *("console/stm32_usart_v2.c", "clock/stm32f7.c"),
        *("memory/stm32_qspi.c", "counter/dwt.c"),
    ]
    assert firmware_sources(load_board("rpi_pico"))[0] == "boot/rp2040.c"
    hosted = firmware_sources(load_board("host"))
    assert not any(s.startswith(("startup/", "pins/", "bare/")) for s in hosted)


def test_a_plan_has_firmware_and_generated_files() -> None:
    board = load_board("mps2-an386")
    folder = Path("gen")
    plan = firmware_plan(board, [folder / "kws.c", folder / "models.c"], [Path("more")])
    firmware = data_dir("firmware")
    assert [u.source for u in plan.units] == [
        *(firmware / name for name in firmware_sources(board)),
        *(folder / "kws.c", folder / "models.c"),
    ]
    assert plan.units[-1].object == Path("generated/models.o")
    assert Path("firmware/main.o") in [u.object for u in plan.units]
    assert plan.includes == (firmware / "include", folder, Path("more"))
    assert plan.prefixes == (
        (firmware, "firmware"),
        (folder, "generated"),
        (Path("more"), "generated"),
    )
    assert plan.script == linker_script(board)


def test_the_host_needs_no_script() -> None:
    assert firmware_plan(load_board("host"), []).script is None


def test_two_generated_files_of_one_name_are_refused() -> None:
    with pytest.raises(FirmwareSourceError, match=r"two generated files are called 'kws\.c'"):
        firmware_plan(load_board("host"), [Path("a/kws.c"), Path("b/kws.c")])


def test_macros_say_what_the_drivers_need(tiny: Board, native: Board) -> None:
    assert dict(board_defines(tiny)) == {
        "BOARD_CLOCK_HZ": "50331648u",
        "BOARD_CLOCK_SOURCE": "1",
        "BOARD_CLOCK_SOURCE_HZ": "8000000u",
        "BOARD_CONSOLE_HZ": "50331648u",
        "BOARD_CONSOLE_BASE": "0x40011000u",
        "BOARD_CONSOLE_INTERRUPT": "37",
        "BOARD_CONSOLE_BAUD": "115200u",
        "BOARD_CONSOLE_ENABLE": "0x40023844u",
        "BOARD_CONSOLE_ENABLE_BIT": "4u",
        "BOARD_PINS_BASE": "0x40020000u",
        "BOARD_PINS_ENABLE": "0x40023830u",
        "BOARD_CONSOLE_TX_PORT": "0u",
        "BOARD_CONSOLE_TX_PIN": "9u",
        "BOARD_CONSOLE_TX_FUNCTION": "7u",
        "BOARD_CONSOLE_RX_PORT": "1u",
        "BOARD_CONSOLE_RX_PIN": "10u",
        "BOARD_CONSOLE_RX_FUNCTION": "4u",
    }
    assert "BOARD_CONSOLE_BASE" not in dict(board_defines(native))


def test_external_memory_has_pins_and_a_size() -> None:
    defines = dict(board_defines(load_board("stm32f746")))
    assert defines["BOARD_MEMORY_BYTES"] == "16777216u"
    assert defines["BOARD_MEMORY_PINS"].startswith("{1u,2u,9u},{1u,6u,10u},{3u,11u,9u}")


GLUE = """\
#include "model.h"
static int32_t run(void) { return 0; }
static const struct model nothing = {
    .name = "nothing", .hash = "0123456789abcdef", .run = run};
const struct model *const firmware_models[] = {&nothing};
const uint32_t firmware_model_count = 1u;
const char firmware_build_id[] = "id";
const char firmware_board_name[] = "board";
"""


@pytest.mark.parametrize("name", board_names())
def test_the_firmware_builds_without_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    board = load_board(name)
    if shutil.which(board.toolchain.compiler) is None:
        pytest.skip(f"{board.toolchain.compiler} is missing")
    glue = tmp_path / "firmware_models.c"
    glue.write_text(GLUE)
    image = build_firmware(firmware_plan(board, [glue]), tmp_path / "out")
    assert image.elf.is_file()
    assert caplog.messages == []
