"""Regions, pools and sections of linked firmwares."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from aot.boards.build import build_firmware
from aot.boards.firmware import firmware_plan
from aot.boards.loader import load_board
from aot.build import generate_firmware
from aot.codegen.files import write_files
from aot.report.memory import firmware_memory
from tests.report.reports import chain, compiled
from tests.support.models import DIGITS


def linked(board, folder, *models):
    firmware = generate_firmware(board, models)
    paths = write_files(firmware.files, folder)
    sources = [p for p in paths if p.name in firmware.sources]
    return build_firmware(firmware_plan(board, sources), folder).elf


def sections(elf):
    """Bytes by section, as binutils say."""
    found = subprocess.run(
        ["arm-none-eabi-size", "-A", str(elf)], capture_output=True, text=True, check=True
    )
    rows = [line.split() for line in found.stdout.splitlines()]
    return {r[0]: int(r[1]) for r in rows if len(r) == 3 and r[0].startswith(".")}


@pytest.mark.skipif(shutil.which("arm-none-eabi-gcc") is None, reason="needs arm-none-eabi-gcc")
def test_two_models_share_the_workspace(tmp_path):
    board = load_board("stm32f746")
    pools = board.ir_pools()
    first, a = compiled(DIGITS.read_bytes(), name="first", pools=pools)
    second, b = compiled(chain("abcd"), name="second", pools=pools)
    elf = linked(board, tmp_path, first, second)
    memory = firmware_memory(board, elf, [a, b])
    needs = {(p.name, p.region): p.bytes for p in memory.pools}
    dtcm = [p.bytes for m in (a, b) for p in m.pools if p.name == "dtcm"]
    assert min(dtcm) > 0
    assert needs[("dtcm", "dtcm")] == max(dtcm)
    assert memory.stack.region == "dtcm" and memory.stack.bytes == board.stack_bytes

    binutils = sections(elf)
    assert {s.name: s.bytes for s in memory.sections}.items() <= binutils.items()
    planned = {s.name: s.planned for s in memory.sections if s.planned is not None}
    assert planned[".stack"] == binutils[".stack"]
    assert planned[".pool_dtcm"] == binutils[".pool_dtcm"] == max(dtcm)
    assert planned[".pool_flash"] == needs[("flash", "flash")]
    assert abs(planned[".pool_flash"] - binutils[".pool_flash"]) < 16
    assert memory.flash == Path(elf).with_suffix(".bin").stat().st_size


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_the_host_has_pools_and_no_regions(tmp_path):
    board = load_board("host")
    model, section = compiled(DIGITS.read_bytes(), pools=board.ir_pools())
    memory = firmware_memory(board, linked(board, tmp_path, model), [section])
    assert memory.regions == () and memory.stack.bytes == 0
    ram = memory.pools[0]
    assert (ram.name, ram.region, ram.bytes) == ("ram", "", 3072)
    assert all(s.planned is None for s in memory.sections)


@pytest.mark.skipif(shutil.which("arm-none-eabi-gcc") is None, reason="needs arm-none-eabi-gcc")
def test_constants_of_several_models_add_up_in_ram(tmp_path):
    board = load_board("stm32f746")
    home = next(p for p in board.ir_pools() if p.name == "sram1")
    constants = replace(home, name="sram1_constants", kind=board.ir_pools()[-1].kind)
    pools = (board.ir_pools()[0], constants, board.ir_pools()[-1])
    made = [compiled(DIGITS.read_bytes(), name=n, pools=pools) for n in ("first", "second")]
    elf = linked(board, tmp_path, *(m for m, _ in made))
    memory = firmware_memory(board, elf, [s for _, s in made])
    pool = next(p for p in memory.pools if p.name == "sram1_constants")
    (one,) = {p.bytes for _, s in made for p in s.pools if p.name == "sram1_constants"}
    assert (pool.region, pool.bytes) == ("sram1", 2 * one)
    assert one > 3000
    assert sections(elf)[".pool_sram1"] >= 2 * one
