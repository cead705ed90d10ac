"""Every board's firmware lies where its core starts, and starts up in the right order."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from itertools import pairwise

import pytest

from aot.boards.loader import load_board

from .emulated import CACHE_SETS, CACHE_WAYS, GARBAGE, StartUp, start_up
from .linked import BARE, PROBE_DATA, Instruction, Linked, link_digits

ARM = [n for n in BARE if load_board(n).cpu.core.startswith("cortex-")]
RISCV = [n for n in BARE if n not in ARM]
ARMV6M = ("cortex-m0", "cortex-m0plus")
NOT_EMULATED = {"mps3-an547": "Unicorn knows no Armv8.1-M; QEMU runs this board in tests"}

# DDI 0403 (Armv7-M), B3.2.2: the system control space.
VTOR, CCR, CPACR, DCISW = 0xE000ED08, 0xE000ED14, 0xE000ED88, 0xE000EF60

Link = Callable[[str], Linked]


@pytest.fixture(scope="session")
def linked(tmp_path_factory: pytest.TempPathFactory) -> Link:
    """Links the example for a board, once."""
    images: dict[str, Linked] = {}

    def link(name: str) -> Linked:
        if name not in images:
            images[name] = link_digits(name, tmp_path_factory.mktemp(name))
        return images[name]

    return link


@pytest.fixture(scope="session")
def started(linked: Link) -> Callable[[str], StartUp]:
    """Runs the start-up of a board's firmware, once."""
    runs: dict[str, StartUp] = {}

    def run(name: str) -> StartUp:
        if name in NOT_EMULATED:
            pytest.skip(NOT_EMULATED[name])
        if name not in runs:
            runs[name] = start_up(linked(name))
        return runs[name]

    return run


# -- where things lie


@pytest.mark.parametrize("name", BARE)
def test_everything_lies_in_its_region(linked: Link, name: str) -> None:
    image = linked(name)
    memory = image.board.memory
    spans = []
    for section in image.sections.values():
        for start in {section.address, section.load_address} - {None}:
            assert start is not None
            region, last = image.region_of(start), image.region_of(start + section.size - 1)
            assert region is not None and region == last, section
            spans.append((start, start + section.size))
        region = image.region_of(section.address)
        assert region is not None
        assert (region.access == "rw") == (section.name in (".data", ".bss", ".stack")) or (
            section.name.startswith(".pool_")
        )
    spans.sort()
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    data = image.sections[".data"]
    assert data.load_address is not None
    assert image.region_of(data.address) == memory.region(memory.data)
    assert image.region_of(data.load_address) == memory.region(memory.code)
    assert image.contents(".data").count(PROBE_DATA) == 1


@pytest.mark.parametrize("name", BARE)
def test_the_stack_is_in_its_region(linked: Link, name: str) -> None:
    image = linked(name)
    stack = image.board.memory.region(image.board.memory.stack)
    assert image.symbols["__stack_bottom"] == stack.origin
    assert image.symbols["__stack_top"] == stack.origin + image.board.stack_bytes
    assert image.symbols["__stack_top"] % 8 == 0


@pytest.mark.parametrize("name", ARM)
def test_vectors(linked: Link, name: str) -> None:
    image = linked(name)
    board, symbols = image.board, image.symbols
    origin = board.memory.region(board.memory.code).origin
    # RP2040 datasheet, 2.8.1.3: the boot block is the first 256 bytes of flash.
    table = origin + (256 if board.boot == "rp2040" else 0)
    assert image.sections[".vectors"].address == symbols["__vectors"] == table
    raw = image.contents(".vectors")
    words = struct.unpack(f"<{len(raw) // 4}I", raw)
    assert board.console.interrupt is not None
    count = 16 + board.console.interrupt + 1
    assert words[0] == symbols["__stack_top"]
    # A handler's address has bit 0 set, for it is Thumb code (DDI 0403, B1.5.3).
    assert words[1] == symbols["reset_handler"] | 1 == image.entry | 1
    assert words[count - 1] == symbols["console_interrupt"] | 1
    assert words[15] == symbols["systick_handler"] | 1
    faults = {*words[2:15], *words[16 : count - 1]}
    assert faults == {symbols["fault_handler"] | 1}
    for word in words[1:count]:
        assert image.region_of(word) == board.memory.region(board.memory.code)
    # VTOR takes multiples of the table's size, rounded up to a power of two (DDI 0403, B3.2.5).
    assert table % max(128, 1 << (4 * count - 1).bit_length()) == 0


@pytest.mark.parametrize("name", RISCV)
def test_the_entry_is_where_the_core_starts(linked: Link, name: str) -> None:
    image = linked(name)
    memory = image.board.memory
    assert image.entry == memory.region(memory.code).origin == image.symbols["reset_handler"]


# -- what happens after reset


@pytest.mark.parametrize("name", BARE)
def test_start_up_prepares_static_data_and_stack(
    linked: Link, started: Callable[[str], StartUp], name: str
) -> None:
    image, run = linked(name), started(name)
    symbols, sections = image.symbols, image.sections
    data, bss = sections[".data"], sections[".bss"]
    assert run.read(image, data.address, data.size) == image.contents(".data")
    assert run.read(image, symbols["probe_data"], len(PROBE_DATA)) == PROBE_DATA
    assert run.read(image, bss.address, bss.size) == bytes(bss.size)
    bottom, top = symbols["__stack_bottom"], symbols["__stack_top"]
    assert bottom < run.stack_pointer <= top
    assert run.stack_pointer % 8 == 0
    # Painted from the bottom, all but what start-up itself may have used.
    painted = run.read(image, bottom, run.stack_pointer - 256 - bottom)
    assert painted == painted[:4] * (len(painted) // 4) != bytes([GARBAGE]) * len(painted)


@pytest.mark.parametrize("name", BARE)
def test_start_up_writes_nowhere_else(
    linked: Link, started: Callable[[str], StartUp], name: str
) -> None:
    sections = linked(name).sections
    own = [sections[n] for n in (".data", ".bss", ".stack")]
    for write in started(name).writes:
        in_own = any(s.address <= write.address < s.address + s.size for s in own)
        assert in_own or write.address in (VTOR, CPACR, CCR, *CACHE), hex(write.address)


# ICIALLU, CSSELR, DCISW.
CACHE = (0xE000EF50, 0xE000ED84, DCISW)


@pytest.mark.parametrize("name", ARM)
def test_the_order_of_start_up(linked: Link, started: Callable[[str], StartUp], name: str) -> None:
    image, run = linked(name), started(name)
    steps = []
    if image.board.cpu.core not in ARMV6M:
        steps.append(_wrote(run, VTOR, image.symbols["__vectors"]))
    if image.board.cpu.fpu is not None:
        steps.append(_wrote(run, CPACR, 15 << 20))
    if image.board.cpu.core == "cortex-m33":
        steps.append(_executed(run, lambda i: i.mnemonic == "msr" and "MSPLIM" in i.text))
    if image.board.cpu.core == "cortex-m7":
        steps.append(_wrote(run, CCR, 3 << 16))
    steps += [_first_write(run, image, ".data"), _first_write(run, image, ".bss")]
    steps.append(_executed(run, lambda i: i.address == image.symbols["stack_paint"] & ~1))
    assert steps == sorted(steps)
    if image.board.cpu.fpu is not None:
        assert not any(_is_float(i) for i in run.executed[: steps[1] + 1])


@pytest.mark.parametrize("name", [n for n in ARM if load_board(n).cpu.core == "cortex-m7"])
def test_the_data_cache_is_invalidated_line_by_line(
    started: Callable[[str], StartUp], name: str
) -> None:
    # DDI 0403, B3.2.16: the way from bit 31 down, the set above the line's 5 bits.
    lines = [w.value for w in started(name).writes if w.address == DCISW]
    assert sorted(lines) == sorted(
        way << 30 | set_ << 5 for way in range(CACHE_WAYS) for set_ in range(CACHE_SETS)
    )


@pytest.mark.parametrize("name", RISCV)
def test_a_trap_handler_and_a_stack_come_first(
    linked: Link, started: Callable[[str], StartUp], name: str
) -> None:
    image, run = linked(name), started(name)
    assert [i.text.split()[0] for i in run.executed[:3]] == ["csrw", "csrr", "bnez"]
    handler = _executed(run, lambda i: "mtvec" in i.text)
    assert handler < min(w.step for w in run.writes)
    assert "<trap>" in run.executed[handler - 1].text
    steps = [handler, _first_write(run, image, ".data"), _first_write(run, image, ".bss")]
    steps.append(_executed(run, lambda i: i.address == image.symbols["stack_paint"]))
    assert steps == sorted(steps)
    # mtvec holds addresses that are multiples of 4 (privileged specification 1.10, 3.1.12).
    assert image.symbols["trap"] % 4 == 0


def _wrote(run: StartUp, address: int, value: int) -> int:
    """The step at which ``value`` went to ``address``, and nothing else ever did."""
    (write,) = (w for w in run.writes if w.address == address)
    assert write.value == value
    return write.step


def _first_write(run: StartUp, linked: Linked, section: str) -> int:
    span = linked.sections[section]
    return min(w.step for w in run.writes if 0 <= w.address - span.address < span.size)


def _executed(run: StartUp, matches: Callable[[Instruction], bool]) -> int:
    return next(step for step, instruction in enumerate(run.executed) if matches(instruction))


# -- what the core must understand


def _is_float(instruction: Instruction) -> bool:
    """Floating point and MVE; both begin with v (DDI 0403, A7.5; DDI 0553, C1)."""
    return instruction.mnemonic.startswith("v")


# DDI 0403, A5.3 and A7.7: the DSP extension.
DSP = re.compile(
    r"([su]|[su]h|u?q)(add|sub|asx|sax)(8|16)\b|qd?(add|sub)\b|(smla|smul|smlal)[bt][bt]\b"
    r"|sm(la|ul)w[bt]\b|sml?(a|s|u)l?dx?\b|smu(ad|sd)x?\b|smm(la|ls|ul)r?\b|pkh(bt|tb)\b"
    r"|[su]xta?b16\b|[su]xta[bh]\b|usada?8\b|[su]sat16\b|umaal\b|sel\b"
)
# Arithmetic in double precision; moves and loads of double registers serve both.
DOUBLE = re.compile(r"v(?!mov|ldr|str|ldm|stm|push|pop)\w+\S*\.f64")
# DDI 0419 (Armv6-M), A5.3: the only instructions of 32 bits.
WIDE_OF_ARMV6M = ("bl", "mrs", "msr", "dmb", "dsb", "isb")
RV32IMAC_LACKS = re.compile(r"f(lw|sw|ld|sd|add|sub|mul|div|m?v|cvt|eq|lt|le)\b|f\w+\.[sd]\b|c\.f")


@pytest.mark.parametrize("name", ARM)
def test_no_instruction_is_beyond_the_core(linked: Link, name: str) -> None:
    image = linked(name)
    cpu = image.board.cpu
    assert len(image.instructions) > 1000
    beyond = []
    for i in image.instructions:
        wide = " " in i.code
        if (
            (cpu.core in ARMV6M and wide and i.mnemonic not in WIDE_OF_ARMV6M)
            or (cpu.core in ARMV6M and re.match(r"cbn?z|it[te]*\b", i.mnemonic))
            or ("dsp" not in cpu.features and DSP.match(i.mnemonic))
            or (cpu.fpu is None and _is_float(i))
            or (cpu.fpu in ("fpv4-sp-d16", "fpv5-sp-d16") and DOUBLE.match(i.mnemonic))
            or ("mve" not in cpu.features and re.search(r"\bq[0-7]\b", i.text))
            or i.mnemonic == "udf"
        ):
            beyond.append(i)
    assert beyond == []


@pytest.mark.parametrize("name", RISCV)
def test_no_instruction_is_beyond_rv32imac(linked: Link, name: str) -> None:
    instructions = linked(name).instructions
    assert len(instructions) > 1000
    assert [i for i in instructions if RV32IMAC_LACKS.match(i.mnemonic)] == []
