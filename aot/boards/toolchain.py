"""The compiler of a board: its options as data, its command lines, and whether it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from aot.boards.board import Board, ToolchainId
from aot.boards.cores import core
from aot.boards.errors import ToolchainMissingError, ToolchainTooOldError

_LANGUAGE = (
    *("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wundef"),
    "-Werror",
)
# Contracting a * b + c into a fused operation changes results; the reference does not do it.
_CODE = ("-O2", "-ffp-contract=off", "-ffunction-sections", "-fdata-sections")


@dataclass(frozen=True)
class _Distribution:
    """Debian's packages of a compiler and of its C library, and the spec files that choose the
    library: ``specs`` for linking, ``header_specs`` for compiling."""

    compiler: str
    library: str
    specs: tuple[str, ...] = ()
    header_specs: tuple[str, ...] = ()


_DISTRIBUTIONS: dict[ToolchainId, _Distribution] = {
    "arm-none-eabi-gcc": _Distribution(
        "gcc-arm-none-eabi", "libnewlib-arm-none-eabi", ("nano.specs", "nosys.specs")
    ),
    "riscv64-unknown-elf-gcc": _Distribution(
        "gcc-riscv64-unknown-elf",
        "picolibc-riscv64-unknown-elf",
        ("picolibc.specs",),
        ("picolibc.specs",),
    ),
    "host-gcc": _Distribution("gcc", "libc6-dev"),
}
_VERSION_SECONDS = 60


def cflags(board: Board) -> tuple[str, ...]:
    """Compiler options for firmware and models alike; the board's own come last and win."""
    headers = _specs(_DISTRIBUTIONS[board.toolchain.id].header_specs)
    return (*_machine_flags(board), *headers, *_LANGUAGE, *_CODE, *board.cflags)


def ldflags(board: Board) -> tuple[str, ...]:
    """Options of the compiler driver when it links, all but the linker script."""
    if board.toolchain.is_native:
        return board.ldflags
    return (
        *_machine_flags(board),
        # Start-up code is the firmware's own; the C library supplies memcpy and its like.
        "-nostartfiles",
        *_specs(_DISTRIBUTIONS[board.toolchain.id].specs),
        *("-Wl,--gc-sections", "-Wl,--fatal-warnings"),
        *board.ldflags,
    )


def _machine_flags(board: Board) -> tuple[str, ...]:
    options = core(board.cpu.core).options
    if board.toolchain.id != "arm-none-eabi-gcc":
        return options
    fpu = () if board.cpu.fpu is None else (f"-mfpu={board.cpu.fpu}",)
    return (*options, *fpu, f"-mfloat-abi={board.cpu.float_abi}")


def _specs(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"--specs={name}" for name in names)


def prefix_map_flags(prefixes: Sequence[tuple[Path, str]]) -> tuple[str, ...]:
    """Options that keep the folders of a build out of its objects (GCC 8 and later)."""
    return tuple(f"-ffile-prefix-map={folder}={name}" for folder, name in prefixes)


def compile_argv(
    board: Board,
    source: Path,
    object_: Path,
    includes: Sequence[Path] = (),
    defines: Sequence[tuple[str, str]] = (),
    extra: Sequence[str] = (),
) -> list[str]:
    """The command that compiles one C file."""
    return [
        board.toolchain.compiler,
        *cflags(board),
        *extra,
        *(f"-D{name}={value}" for name, value in defines),
        *(f"-I{folder}" for folder in includes),
        *("-c", str(source), "-o", str(object_)),
    ]


def link_argv(
    board: Board, objects: Sequence[Path], image: Path, script: Path | None = None
) -> list[str]:
    """The command that links a firmware; ``script`` is the linker script, None on the host."""
    return [
        board.toolchain.compiler,
        *ldflags(board),
        *(() if script is None else ("-T", str(script))),
        *(str(o) for o in objects),
        *("-o", str(image)),
    ]


def objcopy_argv(board: Board, elf: Path, image: Path) -> list[str]:
    """The command that makes a raw image (.bin) or Intel hex (.hex) of an ELF file.

    A raw image begins at the code region and has only what lies there: constants in another
    region, however far, would be padded for. Intel hex has everything.
    """
    if image.suffix == ".hex":
        return [board.toolchain.objcopy, "-O", "ihex", str(elf), str(image)]
    elsewhere = [f"--remove-section=.pool_{pool.name}" for pool in board.distant_constants()]
    return [board.toolchain.objcopy, "-O", "binary", *elsewhere, str(elf), str(image)]


def check_toolchain(board: Board) -> str:
    """The version of the board's compiler, once its binary utilities and C library are there.

    Raises ToolchainMissingError or ToolchainTooOldError, which say what to install.
    """
    tools = board.toolchain
    distribution = _DISTRIBUTIONS[tools.id]
    needed = (tools.compiler,) if tools.is_native else (tools.compiler, tools.objcopy)
    for program in needed:
        if shutil.which(program) is None:
            raise ToolchainMissingError(
                f"{program} is not installed",
                where=f"board {board.name}",
                remedy=f"install it, on Debian the package {distribution.compiler}",
            )
    version = _ask(board, "-dumpfullversion", "-dumpversion")
    if _numbers(version) < tools.min_version:
        raise ToolchainTooOldError(
            f"{tools.compiler} {version} is older than {'.'.join(map(str, tools.min_version))}",
            where=f"board {board.name}",
            remedy=f"install a newer one, on Debian the package {distribution.compiler}",
        )
    for spec in distribution.specs:
        # GCC answers with the bare name where it does not find the file.
        if _ask(board, f"-print-file-name={spec}") == spec:
            raise ToolchainMissingError(
                f"{tools.compiler} has no {spec}",
                where=f"board {board.name}",
                remedy=f"install its C library, on Debian the package {distribution.library}",
            )
    return version


def _ask(board: Board, *options: str) -> str:
    try:
        answer = subprocess.run(
            [board.toolchain.compiler, *options],
            capture_output=True,
            text=True,
            check=True,
            timeout=_VERSION_SECONDS,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise ToolchainMissingError(
            f"{board.toolchain.compiler} does not answer: {error}", where=f"board {board.name}"
        ) from None
    return answer.stdout.strip()


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"[0-9]+", version))
