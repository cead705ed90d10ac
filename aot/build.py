"""Builds a firmware: models compiled for a board, tied to it, and linked with its drivers."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import aot
from aot.boards.board import Board
from aot.boards.firmware import firmware_sources
from aot.codegen.files import GeneratedFile
from aot.codegen.glue import FirmwareModel, firmware_models
from aot.compiler import CompiledModel
from aot.resources import data_dir

_BUILD_ID_DIGITS = 16


@dataclass(frozen=True)
class GeneratedFirmware:
    """The generated files of a firmware and the id that its console must answer with."""

    files: tuple[GeneratedFile, ...]
    build_id: str

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the C files to compile."""
        return tuple(f.name for f in self.files if f.name.endswith(".c"))


def generate_firmware(
    board: Board, models: Sequence[CompiledModel], benchmark: str | None = None
) -> GeneratedFirmware:
    """The files of every model, and the table that names them; without models, an empty one.

    ``benchmark`` is the id of MLPerf Tiny for which the models stand, if they do.
    """
    build_id = _build_id(board, models, benchmark)
    table = [
        FirmwareModel(m.metadata, m.model_hash, bool(m.module.images), benchmark) for m in models
    ]
    files = [f for m in models for f in m.files]
    return GeneratedFirmware((*files, firmware_models(table, board.name, build_id)), build_id)


def _build_id(board: Board, models: Sequence[CompiledModel], benchmark: str | None) -> str:
    """A digest of all that decides what the firmware does: equal on every machine."""
    digest = hashlib.sha256()
    digest.update(f"microaot {aot.__version__} {board.digest()} {benchmark}\n".encode())
    for model in models:
        for file in model.files:
            digest.update(f"{file.name}\n{file.text}\n".encode())
    folder = data_dir("firmware")
    headers = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*.h"))
    for name in (*firmware_sources(board), *headers):
        digest.update(name.encode() + b"\n" + (folder / name).read_bytes())
    return digest.hexdigest()[:_BUILD_ID_DIGITS]
