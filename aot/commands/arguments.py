"""Arguments that several subcommands share, and what they stand for."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from aot.boards.board import Board
from aot.boards.loader import load_board
from aot.compiler import CompiledModel, CompileOptions
from aot.errors import MicroaotError
from aot.ir.tir import CallingConvention
from aot.planners.registry import PLANNERS, planner
from aot.pool_options import placement_rule, pools_of
from aot.progress import Observer, compile_shown


class ModelFileError(MicroaotError):
    """A model file that cannot be read."""


def add_model_and_board(parser: argparse.ArgumentParser) -> None:
    """MODEL, --board and the options of the compiler."""
    parser.add_argument("model", type=Path, metavar="MODEL", help="a .tflite file")
    parser.add_argument("--board", required=True, metavar="B", help="board name or alias")
    parser.add_argument(
        "--boards",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="folder of further board files",
    )
    parser.add_argument("--name", help="prefix of the generated symbols (default: the file's name)")
    parser.add_argument(
        "--pool",
        action="append",
        default=[],
        metavar="NAME[=LIMIT]",
        help="use only these workspace pools, in this order, within limits such as 64K",
    )
    parser.add_argument(
        "--constants",
        metavar="POOL",
        help="copy the constants into this RAM pool at start, as far as it goes",
    )
    parser.add_argument(
        "--place",
        action="append",
        default=[],
        metavar="PATTERN=POOL[+POOL]",
        help="pools for the buffers whose names match, best first",
    )
    parser.add_argument(
        "--planner", default=PLANNERS[0].name, help=", ".join(p.name for p in PLANNERS)
    )
    parser.add_argument(
        "--io-in-pools",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="input and output tensors inside the pools, where a run overwrites the inputs",
    )
    parser.add_argument("--packed", action="store_true", help="kernels take an array of pointers")


def add_port(parser: argparse.ArgumentParser) -> None:
    """--port, for boards that no runner starts."""
    parser.add_argument(
        "--port",
        metavar="PORT",
        help="serial port, or a URL such as socket://host:port, where the flashed board answers",
    )


def read_model(path: Path) -> bytes:
    """The bytes of a model file. Raises ModelFileError."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelFileError(
            f"cannot be read: {error.strerror}", where=str(path), remedy="name a .tflite file"
        ) from error


def board_of(args: argparse.Namespace) -> Board:
    """The board that ``args`` name."""
    return load_board(args.board, args.boards)


def compiled(
    args: argparse.Namespace, board: Board, observe: Observer | None = None
) -> CompiledModel:
    """The model that ``args`` name, compiled for ``board`` with its progress on stderr."""
    options = options_of(args, board)
    return compile_shown(read_model(args.model), args.model.name, options, sys.stderr, observe)


def options_of(args: argparse.Namespace, board: Board) -> CompileOptions:
    """The compiler's options that ``args`` ask for."""
    return CompileOptions(
        name=args.name or args.model.stem,
        pools=pools_of(board.ir_pools(), args.pool, args.constants),
        planner=planner(args.planner),
        io_in_pools=args.io_in_pools,
        convention=CallingConvention.PACKED if args.packed else CallingConvention.UNPACKED,
        placement=tuple(placement_rule(text) for text in args.place),
    )
