"""What a firmware for a board is made of: sources, folders, definitions, linker script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from aot.boards.board import Board, ClockSource
from aot.boards.drivers import NO_STARTUP, DriverKind, common_sources, driver_source
from aot.boards.errors import FirmwareSourceError
from aot.boards.linker import linker_script
from aot.resources import data_dir


@dataclass(frozen=True)
class Unit:
    """A C file and the object it becomes, a path below the build folder."""

    source: Path
    object: Path


@dataclass(frozen=True)
class FirmwarePlan:
    """The inputs of a firmware build, the same for every tool that runs it.

    ``script`` is the text of the linker script, None where the host links. ``prefixes`` are the
    folders of the sources with the names that stand for them inside objects.
    """

    board: Board
    units: tuple[Unit, ...]
    includes: tuple[Path, ...]
    defines: tuple[tuple[str, str], ...]
    prefixes: tuple[tuple[Path, str], ...]
    script: str | None


def firmware_plan(
    board: Board, generated: Sequence[Path], includes: Sequence[Path] = ()
) -> FirmwarePlan:
    """The plan of a firmware from the board's drivers and the ``generated`` C files.

    ``includes`` are folders of further headers. Raises FirmwareSourceError where two generated
    files share a name, for their objects and headers would too.
    """
    firmware = data_dir("firmware")
    names = [path.name for path in generated]
    for name in names:
        if names.count(name) > 1:
            raise FirmwareSourceError(
                f"two generated files are called {name!r}",
                where=f"board {board.name}",
                remedy="give the models different names",
            )
    folders = tuple(dict.fromkeys([*(path.parent for path in generated), *includes]))
    return FirmwarePlan(
        board=board,
        units=(
            *(
                Unit(firmware / name, "firmware" / firmware_object(name))
                for name in firmware_sources(board)
            ),
            *(Unit(path, Path("generated") / f"{path.stem}.o") for path in generated),
        ),
        includes=(firmware / "include", *folders),
        defines=board_defines(board),
        prefixes=((firmware, "firmware"), *((folder, "generated") for folder in folders)),
        script=None if board.toolchain.is_native else linker_script(board),
    )


def firmware_sources(board: Board) -> tuple[str, ...]:
    """The firmware's own C files that ``board`` needs, names in the firmware folder."""
    is_bare = board.startup != NO_STARTUP
    drivers: list[tuple[DriverKind, str]] = []
    if board.boot is not None:
        drivers.append(("boot", board.boot))
    if is_bare:
        drivers += [("startup", board.startup), ("pins", board.console.pins.driver)]
    drivers += [
        ("console", board.console.driver),
        ("clock", board.clock.driver),
        ("memory", "none" if board.memory.external is None else board.memory.external.driver),
        ("counter", board.counter),
    ]
    return (
        *(driver_source(kind, name) for kind, name in drivers),
        *common_sources(data_dir("firmware"), is_bare),
    )


def board_defines(board: Board) -> tuple[tuple[str, str], ...]:
    """The board's figures as macros for the drivers; addresses and Hz are unsigned."""
    console = board.console
    defines = [
        ("BOARD_CLOCK_HZ", f"{board.clock.hz}u"),
        ("BOARD_CLOCK_SOURCE", f"{get_args(ClockSource).index(board.clock.source)}"),
        ("BOARD_CLOCK_SOURCE_HZ", f"{board.clock.source_hz}u"),
        ("BOARD_CONSOLE_HZ", f"{console.hz or board.clock.hz}u"),
        ("BOARD_CONSOLE_BAUD", f"{console.baud}u"),
    ]
    if console.base is not None:
        # A number alone: start-up code repeats vectors by it.
        defines.append(("BOARD_CONSOLE_INTERRUPT", f"{console.interrupt}"))
        defines.append(("BOARD_CONSOLE_BASE", f"{console.base:#010x}u"))
    if console.enable is not None:
        defines.append(("BOARD_CONSOLE_ENABLE", f"{console.enable.register:#010x}u"))
        defines.append(("BOARD_CONSOLE_ENABLE_BIT", f"{console.enable.bit}u"))
    if console.pins.base is not None:
        defines.append(("BOARD_PINS_BASE", f"{console.pins.base:#010x}u"))
    if console.pins.enable is not None:
        defines.append(("BOARD_PINS_ENABLE", f"{console.pins.enable:#010x}u"))
    for signal, pin in (("TX", console.pins.tx), ("RX", console.pins.rx)):
        if pin is not None:
            defines += [
                (f"BOARD_CONSOLE_{signal}_PORT", f"{pin.port}u"),
                (f"BOARD_CONSOLE_{signal}_PIN", f"{pin.number}u"),
                (f"BOARD_CONSOLE_{signal}_FUNCTION", f"{pin.function}u"),
            ]
    return (*defines, *_memory_defines(board))


def _memory_defines(board: Board) -> tuple[tuple[str, str], ...]:
    external = board.memory.external
    if external is None:
        return ()
    pins = ",".join(f"{{{p.port}u,{p.number}u,{p.function}u}}" for p in external.pins)
    size = board.memory.region(external.region).size
    return (("BOARD_MEMORY_BYTES", f"{size}u"), ("BOARD_MEMORY_PINS", pins))


def firmware_object(name: str) -> Path:
    """The object of a firmware source, below the folder of the firmware's objects: one folder,
    for tools that make none."""
    return Path(name.replace("/", "_")).with_suffix(".o")
