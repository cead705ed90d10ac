"""Command lines are exact, and a toolchain that is missing or too old is named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aot.boards.board import Board
from aot.boards.errors import ToolchainMissingError, ToolchainTooOldError
from aot.boards.toolchain import (
    check_toolchain,
    compile_argv,
    ldflags,
    link_argv,
    objcopy_argv,
    prefix_map_flags,
)

from .conftest import NATIVE, TINY, LoadText

LANGUAGE = "-std=c99 -pedantic -Wall -Wextra -Wconversion -Wshadow -Wundef -Werror".split()
CODE = "-O2 -ffp-contract=off -ffunction-sections -fdata-sections".split()
MACHINE = "-mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard".split()


def test_compiles_for_a_board(tiny: Board) -> None:
    argv = compile_argv(
        tiny,
        Path("a b.c"),
        Path("a.o"),
        includes=[Path("include"), Path("gen")],
        defines=[("N", "1")],
        extra=["-g"],
    )
    assert argv == [
        *("arm-none-eabi-gcc", *MACHINE, *LANGUAGE, *CODE, "-O3", "-g"),
        *("-DN=1", "-Iinclude", "-Igen", "-c", "a b.c", "-o", "a.o"),
    ]


def test_compiles_for_a_core_without_fpu(load_text: LoadText) -> None:
    text = TINY.replace("core: cortex-m4, fpu: fpv4-sp-d16, float_abi: hard", "core: cortex-m3")
    board = load_text(text.replace(", features: [dsp]", ""))
    argv = compile_argv(board, Path("a.c"), Path("a.o"))
    assert argv[1:4] == ["-mcpu=cortex-m3", "-mthumb", "-mfloat-abi=soft"]
    assert not any(option.startswith("-mfpu") for option in argv)


def test_links_for_a_board(tiny: Board) -> None:
    assert link_argv(tiny, [Path("b.o"), Path("a.o")], Path("f.elf"), Path("f.ld")) == [
        *("arm-none-eabi-gcc", *MACHINE, "-nostartfiles", "--specs=nano.specs"),
        *("--specs=nosys.specs", "-Wl,--gc-sections", "-Wl,--fatal-warnings", "-Wl,--cref"),
        *("-T", "f.ld", "b.o", "a.o", "-o", "f.elf"),
    ]


def test_the_host_compiles_and_links_with_its_own_defaults(native: Board) -> None:
    assert compile_argv(native, Path("a.c"), Path("a.o")) == [
        *("gcc", *LANGUAGE, *CODE, "-c", "a.c", "-o", "a.o")
    ]
    assert ldflags(native) == ()
    assert link_argv(native, [Path("a.o")], Path("f")) == ["gcc", "a.o", "-o", "f"]


def test_makes_images(tiny: Board) -> None:
    assert objcopy_argv(tiny, Path("f.elf"), Path("f.hex")) == [
        *("arm-none-eabi-objcopy", "-O", "ihex", "f.elf", "f.hex")
    ]
    assert objcopy_argv(tiny, Path("f.elf"), Path("f.bin")) == [
        *("arm-none-eabi-objcopy", "-O", "binary", "f.elf", "f.bin")
    ]


def test_a_raw_image_leaves_out_distant_constants(load_text: LoadText) -> None:
    qspi = "- {name: qspi, origin: 0x90000000, size: 16M, access: rx}\n    - {name: fast, o"
    board = load_text(
        TINY.replace("- {name: fast, o", qspi).replace("region: flash, kind", "region: qspi, kind")
    )
    assert objcopy_argv(board, Path("f.elf"), Path("f.bin")) == [
        *("arm-none-eabi-objcopy", "-O", "binary", "--remove-section=.pool_weights"),
        *("f.elf", "f.bin"),
    ]


def test_maps_folders_to_names() -> None:
    assert prefix_map_flags([(Path("/x/y z"), "models")]) == ("-ffile-prefix-map=/x/y z=models",)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on the PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def program(path: Path, name: str, script: str) -> None:
    (path / name).write_text(f"#!/bin/sh\n{script}\n")
    (path / name).chmod(0o755)


GCC = """\
case "$1" in
-dumpfullversion) echo %s ;;
*) echo %s ;;
esac"""


@pytest.mark.skipif(os.name != "posix", reason="the programs are shell scripts")
class TestCheckToolchain:
    def test_a_missing_compiler(self, path: Path, tiny: Board) -> None:
        with pytest.raises(ToolchainMissingError) as caught:
            check_toolchain(tiny)
        assert str(caught.value) == (
            "board tiny: arm-none-eabi-gcc is not installed; "
            "install it, on Debian the package gcc-arm-none-eabi"
        )

    def test_a_missing_objcopy(self, path: Path, tiny: Board) -> None:
        program(path, "arm-none-eabi-gcc", "")
        with pytest.raises(ToolchainMissingError, match="arm-none-eabi-objcopy is not installed"):
            check_toolchain(tiny)

    def test_an_old_compiler(self, path: Path, tiny: Board) -> None:
        program(path, "arm-none-eabi-gcc", GCC % ("7.3.1", "/lib/nano.specs"))
        program(path, "arm-none-eabi-objcopy", "")
        with pytest.raises(ToolchainTooOldError) as caught:
            check_toolchain(tiny)
        assert str(caught.value) == (
            "board tiny: arm-none-eabi-gcc 7.3.1 is older than 8; "
            "install a newer one, on Debian the package gcc-arm-none-eabi"
        )

    @pytest.mark.parametrize("version", ["8", "8.0", "8.3.1", "12.2.1", "100.0.0"])
    def test_a_new_compiler(self, path: Path, tiny: Board, version: str) -> None:
        program(path, "arm-none-eabi-gcc", GCC % (version, "/lib/nano.specs"))
        program(path, "arm-none-eabi-objcopy", "")
        check_toolchain(tiny)

    def test_a_missing_library(self, path: Path, tiny: Board) -> None:
        program(path, "arm-none-eabi-gcc", GCC % ("12.2.1", "nano.specs"))
        program(path, "arm-none-eabi-objcopy", "")
        with pytest.raises(ToolchainMissingError, match="package libnewlib-arm-none-eabi"):
            check_toolchain(tiny)

    def test_a_compiler_that_fails(self, path: Path, native: Board) -> None:
        program(path, "gcc", "exit 3")
        with pytest.raises(ToolchainMissingError, match=r"board tiny: gcc does not answer: .* 3"):
            check_toolchain(native)

    def test_the_host_needs_a_compiler_alone(self, path: Path, load_text: LoadText) -> None:
        program(path, "gcc", GCC % ("12.2.0", ""))
        check_toolchain(load_text(NATIVE))
