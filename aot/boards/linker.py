"""Writes the GNU ld script of a board from its memory regions and pools."""

from __future__ import annotations

from aot.boards.board import Board, BoardPool, Region


def linker_script(board: Board) -> str:
    """The script that links a firmware for ``board``, the same text for equal boards.

    It defines the symbols that start-up code needs: ``__vectors``; ``__data_load``,
    ``__data_start``, ``__data_end``; ``__bss_start``, ``__bss_end``; ``__stack_bottom``,
    ``__stack_top``. All of them are multiples of 4, those of the stack of 8.
    """
    assert not board.toolchain.is_native, "the host's own linker script serves native programs"
    memory = board.memory
    flash = [p for p in board.pools if memory.region(p.region).access == "rx"]
    ram = [p for p in board.pools if memory.region(p.region).access == "rw"]
    sections = (
        *([_boot(memory.code)] if board.boot is not None else []),
        _vectors(board),
        # Named before .text, whose pattern for read-only data would take them.
        *(_constant_pool(board, p) for p in flash),
        _text(memory.code),
        _stack(board),
        _data(memory.data, memory.code),
        _bss(memory.data),
        *(_memory_pool(board, p) for p in ram),
    )
    return (
        f"/* Memory of {board.name}: generated from its board file. */\n\n"
        f"ENTRY({ENTRY_POINT})\n\n"
        f"{_memory(memory.regions)}\n"
        f"SECTIONS\n{{\n{chr(10).join(sections)}}}\n\n"
        'ASSERT(SIZEOF(.vectors) > 0, "no vector table: start-up code is missing")\n'
    )


ENTRY_POINT = "reset_handler"


def _memory(regions: tuple[Region, ...]) -> str:
    lines = "".join(
        f"  {r.name} ({r.access}) : ORIGIN = {r.origin:#010x}, LENGTH = {r.size:#010x}\n"
        for r in regions
    )
    return f"MEMORY\n{{\n{lines}}}\n"


def _boot(code: str) -> str:
    return f"""\
  .boot :
  {{
    KEEP(*(.boot))
  }} > {code}
"""


def _vectors(board: Board) -> str:
    return f"""\
  .vectors :
  {{
    __vectors = .;
    KEEP(*(.vectors))
    KEEP(*(.vectors.*))
  }} > {board.memory.code}
"""


def _text(code: str) -> str:
    return f"""\
  .text : ALIGN(4)
  {{
    *(.text .text.*)
    *(.rodata .rodata.* .srodata .srodata.*)
  }} > {code}

  .ARM.exidx : ALIGN(4)
  {{
    *(.ARM.exidx .ARM.exidx.*)
  }} > {code}
"""


def _stack(board: Board) -> str:
    # First in its region, so that an overflow runs into what lies below and not into data.
    return f"""\
  .stack (NOLOAD) : ALIGN(8)
  {{
    __stack_bottom = .;
    . += {board.stack_bytes};
    __stack_top = .;
  }} > {board.memory.stack}
"""


def _data(data: str, code: str) -> str:
    return f"""\
  .data : ALIGN(4)
  {{
    __data_start = .;
    *(.data .data.* .sdata .sdata.*)
    . = ALIGN(4);
    __data_end = .;
  }} > {data} AT > {code}
  __data_load = LOADADDR(.data);
"""


def _bss(data: str) -> str:
    return f"""\
  .bss (NOLOAD) : ALIGN(4)
  {{
    __bss_start = .;
    *(.bss .bss.* .sbss .sbss.*)
    *(COMMON)
    . = ALIGN(4);
    __bss_end = .;
  }} > {data}
"""


def _constant_pool(board: Board, pool: BoardPool) -> str:
    return _pool(pool, "", board.pool_section(pool))


def _memory_pool(board: Board, pool: BoardPool) -> str:
    # Neither loaded nor cleared: the models initialise what they read.
    return _pool(pool, " (NOLOAD)", board.pool_section(pool))


def _pool(pool: BoardPool, type_: str, section: str) -> str:
    return f"""\
  .pool_{pool.name}{type_} : ALIGN({pool.alignment})
  {{
    *({section})
  }} > {pool.region}
"""
