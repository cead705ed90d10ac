"""The example's firmware as a native program, built once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from aot.boards.loader import load_board
from aot.commands.firmware import link
from aot.compiler import CompileOptions, compile_model
from tests.support.models import DIGITS
from tests.support.native import gcc


@dataclass(frozen=True)
class Example:
    """A program that serves the example, its build id, and the reference's runs as bytes."""

    program: Path
    build_id: str
    runs: tuple[tuple[bytes, bytes], ...]


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Example:
    gcc()
    board = load_board("host")
    model = compile_model(DIGITS.read_bytes(), "digits", CompileOptions("digits", board.ir_pools()))
    image, build_id = link(board, [model], tmp_path_factory.mktemp("example"))
    with np.load(DIGITS.with_suffix(".npz")) as vectors:
        pairs = zip(vectors["in0"], vectors["out0"], strict=True)
        runs = tuple((i.tobytes(), o.tobytes()) for i, o in pairs)
    return Example(image.elf, build_id, runs)
