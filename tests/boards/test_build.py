"""Real toolchains build a small firmware of the test's own for every board."""

from __future__ import annotations

import dataclasses
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from aot.boards.board import Board
from aot.boards.build import FirmwareImage, build_firmware
from aot.boards.cores import CORES, NATIVE
from aot.boards.errors import CompileError, LinkError, RegionOverflowError
from aot.boards.firmware import FirmwarePlan, Unit
from aot.boards.linker import linker_script
from aot.boards.loader import board_names, load_board
from aot.boards.size import RegionUse, image_size
from aot.boards.toolchain import compile_argv, link_argv

BARE_BOARDS = [n for n in board_names() if not load_board(n).toolchain.is_native]

needs_arm = pytest.mark.skipif(
    shutil.which("arm-none-eabi-gcc") is None or shutil.which("riscv64-unknown-elf-gcc") is None,
    reason="a compiler is missing; on Debian: gcc-arm-none-eabi, gcc-riscv64-unknown-elf",
)
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is missing")

STARTUP = """\
#include <stdint.h>
#include <string.h>
extern uint32_t __data_load, __data_start, __data_end, __bss_start, __bss_end, __stack_top;
extern uint32_t __stack_bottom, __vectors;
int main(void);
void reset_handler(void);
void reset_handler(void) {
  (void)memcpy(&__data_start, &__data_load,
               (size_t)((uintptr_t)&__data_end - (uintptr_t)&__data_start));
  (void)memset(&__bss_start, 0, (size_t)((uintptr_t)&__bss_end - (uintptr_t)&__bss_start));
  (void)memset(&__stack_bottom, (int)(uintptr_t)&__vectors, 4u);
  (void)main();
}
const void *const vectors[2] __attribute__((section(".vectors"), used)) = {
  &__stack_top, (const void *)(uintptr_t)reset_handler };
"""

MAIN = """\
#include <stdint.h>
static uint8_t pool[POOL] __attribute__((aligned(16)PLACE));
static volatile uint32_t zeroed[4];
static volatile uint32_t set[3] = {1u, 2u, 3u};
static const uint8_t weights[5] WEIGHTS = {1u, 2u, 3u, 4u, 5u};
int main(void) {
  volatile uint8_t *p = pool;
  volatile const uint8_t *w = weights;
  p[0] = w[4];
  zeroed[0] = set[2];
  return (int)(zeroed[0] + p[0]);
}
"""


def plan(board: Board, folder: Path, main: str = MAIN, pool: int = 64) -> FirmwarePlan:
    """A firmware with a workspace pool of ``pool`` bytes and 5 bytes of constants."""
    folder.mkdir(exist_ok=True)
    pools = {p.kind.value: p.section for p in board.ir_pools()[::-1]}
    place = pools["workspace"] and f', section("{pools["workspace"]}")'
    weights = pools["constant"] and f'__attribute__((section("{pools["constant"]}")))'
    text = main.replace("POOL", str(pool)).replace("PLACE", place).replace("WEIGHTS", weights)
    (folder / "main.c").write_text(text)
    (folder / "startup.c").write_text(STARTUP)
    names = ("main",) if board.toolchain.is_native else ("startup", "main")
    return FirmwarePlan(
        board=board,
        units=tuple(Unit(folder / f"{n}.c", Path("firmware") / f"{n}.o") for n in names),
        includes=(folder,),
        defines=(),
        prefixes=((folder, "firmware"),),
        script=None if board.toolchain.is_native else linker_script(board),
    )


def symbols(elf: Path) -> dict[str, int]:
    listing = subprocess.run(
        ["arm-none-eabi-nm", str(elf)], capture_output=True, text=True, check=True
    )
    return {
        name: int(value, 16)
        for value, _, name in (line.split() for line in listing.stdout.splitlines())
    }


def region_use(built: FirmwarePlan, folder: Path) -> tuple[RegionUse, ...]:
    """What GNU ld itself says the regions hold."""
    chatty = dataclasses.replace(built.board, ldflags=("-Wl,--print-memory-usage",))
    units = {"KB": 1024, "MB": 1 << 20, "GB": 1 << 30, "B": 1}
    script = folder / "usage.ld"
    script.write_text(built.script or "")
    objects = []
    for unit in built.units:
        objects.append(folder / f"usage-{unit.object.name}")
        subprocess.run(compile_argv(built.board, unit.source, objects[-1]), check=True)
    answer = subprocess.run(
        link_argv(chatty, objects, folder / "usage.elf", script),
        capture_output=True,
        text=True,
        check=True,
    )
    rows = re.findall(r"(\w+): +(\d+) ([KMG]?B) +(\d+) ([KMG]?B) ", answer.stdout)
    return tuple(
        RegionUse(name, int(used) * units[unit], int(size) * units[scale])
        for name, used, unit, size, scale in rows
    )


@needs_arm
@pytest.mark.parametrize("name", BARE_BOARDS)
def test_links_for_every_board(tmp_path: Path, name: str) -> None:
    board = load_board(name)
    image = build_firmware(plan(board, tmp_path / "src"), tmp_path / "out")
    suffixes = ("bin", "elf", "hex", *(() if board.uf2_family is None else ("uf2",)))
    out = tmp_path / "out"
    assert image == FirmwareImage(**{s: out / f"firmware.{s}" for s in suffixes})
    assert sorted(p.name for p in out.iterdir()) == [f"firmware.{s}" for s in suffixes]
    assert image.bin is not None
    memory = board.memory
    found = symbols(image.elf)
    flash = memory.region(memory.code)
    stack = memory.region(memory.stack)
    assert found["__vectors"] == flash.origin
    assert found["__stack_bottom"] == stack.origin
    assert found["__stack_top"] == stack.origin + board.stack_bytes
    assert found["__data_end"] - found["__data_start"] == 12
    assert found["__bss_end"] - found["__bss_start"] == 16
    workspace = memory.region(board.pools[0].region)
    assert workspace.origin <= found["pool"] < workspace.end
    data = image.bin.read_bytes()
    # The image begins with the vectors and ends with the initial data; no pool is stored in it.
    assert int.from_bytes(data[:4], "little") == found["__stack_top"]
    thumb = board.toolchain.id == "arm-none-eabi-gcc"
    assert int.from_bytes(data[4:8], "little") == found["reset_handler"] + thumb
    load = found["__data_load"] - flash.origin
    assert data[load:] == b"".join(n.to_bytes(4, "little") for n in (1, 2, 3))
    weights = found["weights"] - flash.origin
    assert data[weights : weights + 5] == bytes([1, 2, 3, 4, 5])


@needs_arm
@pytest.mark.parametrize("name", BARE_BOARDS)
def test_measures_regions_as_the_linker_does(tmp_path: Path, name: str) -> None:
    board = load_board(name)
    built = plan(board, tmp_path / "src", pool=4321)
    image = build_firmware(built, tmp_path / "out")
    size = image_size(board, image.elf)
    assert size.regions == region_use(built, tmp_path)
    assert image.bin is not None
    assert size.flash == image.bin.stat().st_size
    assert size.ram >= board.stack_bytes + 4321


@needs_arm
def test_an_overflow_names_the_region(tmp_path: Path) -> None:
    board = load_board("stm32f746")
    with pytest.raises(RegionOverflowError) as caught:
        build_firmware(plan(board, tmp_path / "src", pool=60_000), tmp_path / "out")
    assert str(caught.value).startswith(
        "board stm32f746: region 'dtcm' needs 68192 bytes and has 65536 (2656 over)"
    )
    assert list((tmp_path / "out").iterdir()) == []


@needs_arm
def test_the_same_sources_give_the_same_bytes_anywhere(tmp_path: Path) -> None:
    board = load_board("netduinoplus2")
    debug = dataclasses.replace(board, cflags=("-g",))
    images = []
    for name in ("one", "another place"):
        folder = tmp_path / name
        folder.mkdir()
        images.append(build_firmware(plan(debug, folder / "src"), folder / "out"))
    first, second = (image.elf.read_bytes() for image in images)
    assert first == second
    assert str(tmp_path).encode() not in first


@needs_arm
def test_a_build_that_fails_keeps_what_was_there(tmp_path: Path) -> None:
    board = load_board("mps2-an386")
    out = tmp_path / "out"
    image = build_firmware(plan(board, tmp_path / "src"), out)
    before = image.elf.read_bytes()
    broken = plan(board, tmp_path / "src", main="int main(void) { return missing; }\n")
    with pytest.raises(CompileError, match="'missing' undeclared") as caught:
        build_firmware(broken, out)
    assert str(caught.value).startswith(f"compiling main.c: {tmp_path / 'src' / 'main.c'}:")
    assert image.elf.read_bytes() == before
    assert sorted(p.name for p in out.iterdir()) == ["firmware.bin", "firmware.elf", "firmware.hex"]


@needs_arm
def test_a_firmware_without_vectors_is_refused(tmp_path: Path) -> None:
    whole = plan(load_board("mps2-an386"), tmp_path / "src")
    with pytest.raises(LinkError, match="no vector table: start-up code is missing"):
        build_firmware(dataclasses.replace(whole, units=whole.units[1:]), tmp_path / "out")


@needs_arm
@pytest.mark.parametrize("core", [c for c in CORES if c.name != NATIVE], ids=lambda c: c.name)
def test_the_compiler_knows_every_core(tmp_path: Path, core) -> None:
    boards = [load_board(name) for name in BARE_BOARDS]
    tiny = next(b for b in boards if b.toolchain.id == core.toolchain)
    for fpu in (None, *core.fpus):
        cpu = dataclasses.replace(
            tiny.cpu, core=core.name, fpu=fpu, float_abi="hard" if fpu else "soft"
        )
        board = dataclasses.replace(tiny, cpu=cpu)
        assert build_firmware(plan(board, tmp_path / "src"), tmp_path / "out").elf.is_file()


@needs_gcc
def test_the_host_makes_a_program(tmp_path: Path) -> None:
    board = load_board("host")
    image = build_firmware(plan(board, tmp_path / "src dir"), tmp_path / "out dir")
    assert image == FirmwareImage(tmp_path / "out dir" / "firmware", None, None)
    assert subprocess.run([image.elf], check=False).returncode == 3 + 5


@needs_gcc
def test_undefined_symbols_are_told(tmp_path: Path) -> None:
    main = "int other(void);\nint main(void) { return other(); }\n"
    board = load_board("host")
    with pytest.raises(LinkError, match="undefined reference to `other'"):
        build_firmware(plan(board, tmp_path, main=main), tmp_path / "out")
