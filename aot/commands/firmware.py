"""Builds the firmware of one model for the subcommands that run it."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from aot.boards.board import Board
from aot.boards.build import FirmwareImage, build_firmware
from aot.boards.firmware import firmware_plan
from aot.build import generate_firmware
from aot.codegen.files import write_files
from aot.commands.arguments import board_of, compiled
from aot.compiler import CompiledModel
from aot.hil.interface import ModelInterface, read_interface
from aot.progress import Observer


@dataclass(frozen=True)
class BuiltModel:
    """A model in a linked firmware."""

    board: Board
    model: CompiledModel
    interface: ModelInterface
    metadata: Path
    image: FirmwareImage
    build_id: str


@contextmanager
def built(args: argparse.Namespace, observe: Observer | None = None) -> Iterator[BuiltModel]:
    """The firmware of the model that ``args`` name, in a folder that ends with the context."""
    board = board_of(args)
    model = compiled(args, board, observe)
    with tempfile.TemporaryDirectory(prefix="microaot-") as folder:
        image, build_id = link(board, [model], Path(folder))
        metadata = Path(folder) / "generated" / f"{model.module.name}.json"
        yield BuiltModel(board, model, read_interface(metadata), metadata, image, build_id)


def link(board: Board, models: Sequence[CompiledModel], folder: Path) -> tuple[FirmwareImage, str]:
    """Builds a firmware of ``models`` in ``folder``; the image and its build id."""
    firmware = generate_firmware(board, models)
    generated = folder / "generated"
    write_files(firmware.files, generated)
    plan = firmware_plan(board, [generated / name for name in firmware.sources])
    return build_firmware(plan, folder), firmware.build_id
