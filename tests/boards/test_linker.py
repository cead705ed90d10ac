"""The linker script follows from regions and pools alone."""

from __future__ import annotations

from aot.boards.board import Board
from aot.boards.linker import linker_script

from .conftest import TINY, LoadText

GOLDEN = """\
/* Memory of tiny: generated from its board file. */

ENTRY(reset_handler)

MEMORY
{
  flash (rx) : ORIGIN = 0x08000000, LENGTH = 0x00010000
  fast (rw) : ORIGIN = 0x10000000, LENGTH = 0x00001000
  ram (rw) : ORIGIN = 0x20000000, LENGTH = 0x00004000
}

SECTIONS
{
  .vectors :
  {
    __vectors = .;
    KEEP(*(.vectors))
    KEEP(*(.vectors.*))
  } > flash

  .pool_weights : ALIGN(16)
  {
    *(.rodata.pool_weights)
  } > flash

  .text : ALIGN(4)
  {
    *(.text .text.*)
    *(.rodata .rodata.* .srodata .srodata.*)
  } > flash

  .ARM.exidx : ALIGN(4)
  {
    *(.ARM.exidx .ARM.exidx.*)
  } > flash

  .stack (NOLOAD) : ALIGN(8)
  {
    __stack_bottom = .;
    . += 1024;
    __stack_top = .;
  } > fast

  .data : ALIGN(4)
  {
    __data_start = .;
    *(.data .data.* .sdata .sdata.*)
    . = ALIGN(4);
    __data_end = .;
  } > ram AT > flash
  __data_load = LOADADDR(.data);

  .bss (NOLOAD) : ALIGN(4)
  {
    __bss_start = .;
    *(.bss .bss.* .sbss .sbss.*)
    *(COMMON)
    . = ALIGN(4);
    __bss_end = .;
  } > ram

  .pool_fast (NOLOAD) : ALIGN(8)
  {
    *(.pool_fast)
  } > fast

  .pool_main (NOLOAD) : ALIGN(16)
  {
    *(.pool_main)
  } > ram
}

ASSERT(SIZEOF(.vectors) > 0, "no vector table: start-up code is missing")
"""


def test_script_of_a_small_board(tiny: Board) -> None:
    assert linker_script(tiny) == GOLDEN


def test_equal_boards_have_equal_scripts(tiny: Board, load_text: LoadText) -> None:
    again = load_text(TINY.replace("title: A tiny board", "title: Another title"))
    assert linker_script(again) == linker_script(tiny)


def test_a_constant_pool_in_ram_is_not_loaded(load_text: LoadText) -> None:
    script = linker_script(load_text(TINY.replace("region: flash, kind", "region: fast, kind")))
    assert (
        """\
  .pool_weights (NOLOAD) : ALIGN(16)
  {
    *(.pool_weights)
  } > fast
"""
        in script
    )
