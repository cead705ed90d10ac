"""The board file's schema: turns the values of a YAML file into a Board, or refuses them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import cast, get_args

from aot.boards.board import (
    Board,
    Clock,
    ClockSource,
    Cpu,
    Emulation,
    FloatAbi,
    RunnerConfig,
    Runners,
    Toolchain,
    ToolchainId,
)
from aot.boards.cores import CORES, core
from aot.boards.drivers import NO_STARTUP
from aot.boards.schema_console import console_from
from aot.boards.schema_memory import ADDRESS_SPACE, memory_from, pools_from
from aot.boards.schema_parts import driver
from aot.boards.yaml_reader import Value, optional, refuse_repeats

RUNNER_NAMES = (
    *("openocd", "pyocd", "stlink", "jlink", "stm32cubeprogrammer", "dfu", "uf2", "nrfutil"),
    *("qemu", "native"),
)

BOARD_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,47}")
_NAME_FORM = "lower-case letters, digits, '-' and '_', 48 at most"
_PREFIX = re.compile(r"([A-Za-z0-9_.]+-)*")
_VERSION = re.compile(r"[0-9]{1,4}(\.[0-9]{1,4}){0,2}")
_FLAG = re.compile(r"-[!-~]+")

# Every option that lets GCC change floating-point results (GCC manual, "Optimize Options").
_INEXACT = re.compile(
    r"-Ofast|-ffast-math|-funsafe-math-optimizations|-fassociative-math|-freciprocal-math"
    r"|-ffinite-math-only|-fno-signed-zeros|-fcx-.*|-ffp-contract=.*|-fsingle-precision-constant"
)

_MAX_HZ = 4_000_000_000


def board_from(root: Value, firmware: Path) -> Board:
    """The board that a file describes; ``firmware`` is the folder whose drivers it may name.

    Raises BoardFileError, with the line and the key, where the file breaks the schema.
    """
    f = root.fields(
        (
            *("name", "title", "vendor", "soc", "startup", "cpu", "clock", "counter", "toolchain"),
            *("memory", "pools", "stack_bytes", "console", "runners"),
        ),
        ("aliases", "boot", "cflags", "ldflags", "uf2", "emulation", "timeout_multiplier"),
    )
    stack_bytes = f["stack_bytes"].integer(256, ADDRESS_SPACE)
    if stack_bytes % 8:
        # AAPCS32, "Stack constraints at a public interface": a multiple of 8 bytes.
        raise f["stack_bytes"].error("must be a multiple of 8")
    memory = memory_from(f["memory"], stack_bytes, firmware)
    board = Board(
        name=f["name"].matching(BOARD_NAME, _NAME_FORM),
        title=f["title"].line(),
        vendor=f["vendor"].line(),
        soc=f["soc"].line(),
        aliases=optional(f, "aliases", _aliases, ()),
        boot=optional(f, "boot", lambda v: driver(v, firmware, "boot"), None),
        startup=driver(f["startup"], firmware, "startup"),
        cpu=_cpu(f["cpu"]),
        clock=_clock(f["clock"], firmware),
        counter=driver(f["counter"], firmware, "counter"),
        toolchain=_toolchain(f["toolchain"]),
        cflags=optional(f, "cflags", _flags, ()),
        ldflags=optional(f, "ldflags", _flags, ()),
        memory=memory,
        pools=pools_from(f["pools"], memory, stack_bytes),
        stack_bytes=stack_bytes,
        uf2_family=optional(f, "uf2", _uf2_family, None),
        console=console_from(f["console"], firmware),
        runners=_runners(f["runners"]),
        emulation=optional(f, "emulation", _emulation, None),
        timeout_multiplier=optional(f, "timeout_multiplier", Value.positive, 1.0),
    )
    _check_native(f, board)
    _check_emulation(f, board)
    return board


def _aliases(value: Value) -> tuple[str, ...]:
    return tuple(v.matching(BOARD_NAME, _NAME_FORM) for v in value.items())


def _flags(value: Value) -> tuple[str, ...]:
    flags = tuple((v, v.matching(_FLAG, "a compiler option")) for v in value.items())
    for v, flag in flags:
        if _INEXACT.fullmatch(flag):
            raise v.error(f"{flag} changes floating-point results", "leave it out")
    return tuple(flag for _, flag in flags)


def _cpu(value: Value) -> Cpu:
    f = value.fields(("core",), ("fpu", "float_abi", "features"))
    name = f["core"].choice([c.name for c in CORES], "core")
    known = core(name)
    fpu = f["fpu"].choice(known.fpus, f"FPU of {name}") if "fpu" in f else None
    float_abi = cast(
        FloatAbi,
        f["float_abi"].choice(get_args(FloatAbi), "float ABI") if "float_abi" in f else "soft",
    )
    if (fpu is None) != (float_abi == "soft"):
        where = f.get("float_abi", f.get("fpu", value))
        raise where.error("an FPU goes with float_abi softfp or hard, and they with an FPU")
    features = f["features"].items() if "features" in f else ()
    named = tuple(v.choice(known.features, f"feature of {name}") for v in features)
    refuse_repeats(features, named)
    return Cpu(name, fpu, float_abi, named)


def _clock(value: Value, firmware: Path) -> Clock:
    f = value.fields(("driver", "hz", "source"), ("source_hz",))
    hz = f["hz"].integer(1, _MAX_HZ)
    return Clock(
        driver=driver(f["driver"], firmware, "clock"),
        hz=hz,
        source=cast(ClockSource, f["source"].choice(get_args(ClockSource), "clock source")),
        source_hz=optional(f, "source_hz", lambda v: v.integer(1, _MAX_HZ), hz),
    )


def _toolchain(value: Value) -> Toolchain:
    f = value.fields(("id", "min_version"), ("prefix",))
    version = f["min_version"].matching(_VERSION, "a version such as 10.3")
    return Toolchain(
        id=cast(ToolchainId, f["id"].choice(get_args(ToolchainId), "toolchain")),
        prefix=optional(f, "prefix", lambda v: v.matching(_PREFIX, "such as arm-none-eabi-"), ""),
        min_version=tuple(int(part) for part in version.split(".")),
    )


def _uf2_family(value: Value) -> int:
    return value.fields(("family",))["family"].integer(0, ADDRESS_SPACE - 1)


def _runners(value: Value) -> Runners:
    entries = value.entries(("default", *RUNNER_NAMES))
    configs = tuple(
        RunnerConfig(name, tuple(a.line() for a in args.items()))
        for name, args in entries.items()
        if name != "default"
    )
    if "default" not in entries:
        raise value.error("lacks the key 'default'")
    return Runners(entries["default"].choice([c.name for c in configs], "runner"), configs)


def _emulation(value: Value) -> Emulation:
    f = value.fields(("machine", "ns_per_tick"), ("cpu",))
    return Emulation(
        f["machine"].line(), optional(f, "cpu", Value.line, None), f["ns_per_tick"].positive()
    )


def _check_native(f: dict[str, Value], board: Board) -> None:
    """A board is either the host in every respect, or in none."""
    native = board.toolchain.is_native
    if core(board.cpu.core).toolchain != board.toolchain.id:
        raise f["cpu"].error(f"core {board.cpu.core!r} does not go with {board.toolchain.id}")
    if (board.startup == NO_STARTUP) != native:
        raise f["startup"].error(f"{board.startup!r} does not go with {board.toolchain.id}")
    if (board.console.base is None) != native or (board.console.interrupt is None) != native:
        raise f["console"].error(
            "has neither base nor interrupt on the host" if native else "needs base and interrupt"
        )
    for runner in board.runners.entries:
        if (runner.name == "native") != native:
            raise f["runners"].error(f"{runner.name!r} does not go with {board.toolchain.id}")


def _check_emulation(f: dict[str, Value], board: Board) -> None:
    if any(r.name == "qemu" for r in board.runners.entries) != (board.emulation is not None):
        raise f["runners"].error("the runner 'qemu' and the key 'emulation' go together")
