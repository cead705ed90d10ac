"""What the boot ROMs of RP2040 and RP2350 look for stands in the image, and works."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest
from unicorn import (
    UC_ARCH_ARM,
    UC_HOOK_MEM_WRITE,
    UC_MODE_MCLASS,
    UC_MODE_THUMB,
    Uc,
    arm_const,
)

from aot.boards.boot_block import checksum, seal
from aot.boards.errors import ImageFormatError

from .linked import Linked, link_digits


@pytest.fixture(scope="module")
def pico(tmp_path_factory: pytest.TempPathFactory) -> Linked:
    return link_digits("rpi_pico", tmp_path_factory.mktemp("pico"))


def mpeg2(data: bytes) -> int:
    """CRC-32/MPEG-2 from zlib's CRC-32, which has the same polynomial but reflects its bits and
    inverts the result."""
    mirrored = bytes(int(f"{byte:08b}"[::-1], 2) for byte in data)
    return int(f"{zlib.crc32(mirrored) ^ 0xFFFFFFFF:032b}"[::-1], 2)


def test_the_checksum_is_crc_32_mpeg_2() -> None:
    # Catalogue of parametrised CRC algorithms, CRC-32/MPEG-2: "check".
    assert checksum(b"123456789") == 0x0376E6E7
    for data in (b"", bytes(252), bytes(range(252))):
        assert checksum(data) == mpeg2(data)


def test_the_block_is_first_and_sealed(pico: Linked) -> None:
    boot = pico.sections[".boot"]
    assert (boot.address, boot.size) == (0x10000000, 256)
    block = pico.contents(".boot")
    assert struct.unpack("<I", block[252:])[0] == mpeg2(block[:252])
    assert pico.image.bin is not None
    assert pico.image.bin.read_bytes()[:256] == block
    assert pico.image.uf2 is not None
    assert pico.image.uf2.read_bytes()[32:288] == block


def test_the_block_sets_up_flash_and_starts_the_firmware(pico: Linked) -> None:
    """Runs it where the boot ROM puts it (RP2040 datasheet 2.8.1.3): the end of SRAM5."""
    at, ssi, private = 0x20041F00, 0x18000000, 0xE0000000
    cpu = Uc(UC_ARCH_ARM, UC_MODE_THUMB | UC_MODE_MCLASS)
    cpu.ctl_set_cpu_model(arm_const.UC_CPU_ARM_CORTEX_M0)
    cpu.mem_map(0x20040000, 8192)
    cpu.mem_map(ssi, 4096)
    cpu.mem_map(private, 1 << 20)
    cpu.mem_map(0x10000000, 1 << 21)
    assert pico.image.bin is not None
    cpu.mem_write(0x10000000, pico.image.bin.read_bytes())
    cpu.mem_write(at, pico.contents(".boot"))
    writes: list[tuple[int, int]] = []

    def write(_cpu: Uc, _kind: int, address: int, _size: int, value: int, _data: object) -> None:
        writes.append((address, value & 0xFFFFFFFF))

    cpu.hook_add(UC_HOOK_MEM_WRITE, write)
    cpu.reg_write(arm_const.UC_ARM_REG_SP, at)
    reset = pico.symbols["reset_handler"] & ~1
    cpu.emu_start(at | 1, reset, count=200)
    assert cpu.reg_read(arm_const.UC_ARM_REG_PC) == reset
    assert cpu.reg_read(arm_const.UC_ARM_REG_SP) == pico.symbols["__stack_top"]
    # RP2040 datasheet 4.10.13 "List of Registers" of SSI: SSIENR 0x08 is off while BAUDR 0x14,
    # CTRLR0 0x00, CTRLR1 0x04 and SPI_CTRLR0 0xf4 change, then on.
    assert writes[0] == (ssi + 0x08, 0)
    assert writes[-2:] == [(ssi + 0x08, 1), (0xE000ED08, pico.symbols["__vectors"])]
    registers = dict(writes[1:-2])
    assert sorted(registers) == [ssi, ssi + 0x04, ssi + 0x14, ssi + 0xF4]
    # DFS_32 31, TMOD 3 (EEPROM read), SPI_FRF 0 (one line).
    assert registers[ssi] == 31 << 16 | 3 << 8
    # XIP_CMD 03h, INST_L 2 (8 bits), ADDR_L 6 (24 bits in steps of 4), TRANS_TYPE 0.
    assert registers[ssi + 0xF4] == 0x03 << 24 | 2 << 8 | 6 << 2
    # 133 MHz at most, over an even divisor, stays below the 50 MHz of the command 03h.
    assert registers[ssi + 0x14] % 2 == 0 and 133 / registers[ssi + 0x14] < 50


def test_the_image_definition_of_rp2350(tmp_path: Path) -> None:
    linked = link_digits("rpi_pico2", tmp_path)
    assert linked.image.bin is not None
    raw = linked.image.bin.read_bytes()
    # RP2350 datasheet 5.9.5.1 "Minimum Arm IMAGE_DEF", as bytes.
    block = bytes.fromhex("d3deffff 42012110 ff010000 00000000 793512ab")
    assert raw.count(block) == 1
    assert raw.index(block) % 4 == 0
    assert raw.index(block) + len(block) <= 4096
    # Without an entry point of its own, the vector table is at the start of the image (5.9.5.1).
    assert linked.symbols["__vectors"] == 0x10000000


def test_an_image_without_a_block_stays_as_it_is(tmp_path: Path) -> None:
    linked = link_digits("nucleo_g0b1re", tmp_path)
    before = linked.image.elf.read_bytes()
    seal(linked.image.elf)
    assert linked.image.elf.read_bytes() == before


def test_what_is_no_image_cannot_be_sealed(tmp_path: Path) -> None:
    (tmp_path / "no.elf").write_bytes(b"MZ")
    with pytest.raises(ImageFormatError, match="not a little-endian ELF file"):
        seal(tmp_path / "no.elf")
