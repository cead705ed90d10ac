"""Arguments that several subcommands share, and what they stand for."""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from aot.boards.board import Board
from aot.boards.loader import load_board
from aot.compiler import CompiledModel, CompileOptions
from aot.errors import MicroaotError
from aot.ir.pools import Pool, PoolKind
from aot.ir.tir import CallingConvention
from aot.passes.usmp.assign_pool_info import PlacementRule
from aot.planners.registry import PLANNERS, planner
from aot.progress import Observer, compile_shown

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20}


class ModelFileError(MicroaotError):
    """A model file that cannot be read."""


class PoolOptionError(MicroaotError):
    """A --pool, --constants or --place that makes no sense for the board."""


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
        placement=tuple(_rule(text) for text in args.place),
    )


def pools_of(
    pools: tuple[Pool, ...], wanted: Sequence[str], constants: str | None
) -> tuple[Pool, ...]:
    """The board's ``pools`` as --pool and --constants reshape them."""
    workspace = [p for p in pools if p.kind is PoolKind.WORKSPACE]
    others = [p for p in pools if p.kind is PoolKind.CONSTANT]
    by_name = {p.name: p for p in workspace}
    chosen = [_limited(text, by_name) for text in wanted] if wanted else workspace
    if constants is not None:
        home = _known(constants, by_name, "--constants")
        others.insert(0, replace(home, name=f"{home.name}_constants", kind=PoolKind.CONSTANT))
    return (*chosen, *others)


def _limited(text: str, pools: dict[str, Pool]) -> Pool:
    name, _, limit = text.partition("=")
    pool = _known(name, pools, "--pool")
    if not limit:
        return pool
    match = re.fullmatch(r"([0-9]+)([KM]?)B?", limit)
    if match is None:
        raise PoolOptionError(
            f"`{limit}` is no size", where=f"--pool {text}", remedy="write 4096, 64K or 1M"
        )
    size = int(match[1]) * _UNITS[match[2]]
    if pool.size_limit is not None and size > pool.size_limit:
        raise PoolOptionError(
            f"{size} bytes exceed the {pool.size_limit} that the board gives the pool",
            where=f"--pool {text}",
            remedy="choose a lower limit",
        )
    return replace(pool, size_limit=size)


def _known(name: str, pools: dict[str, Pool], where: str) -> Pool:
    if name in pools:
        return pools[name]
    close = difflib.get_close_matches(name, pools, n=1)
    hint = f"did you mean `{close[0]}`? " if close else ""
    raise PoolOptionError(
        f"the board has no workspace pool `{name}`",
        where=where,
        remedy=f"{hint}it has {', '.join(pools)}",
    )


def _rule(text: str) -> PlacementRule:
    pattern, separator, pools = text.partition("=")
    if not pattern or not separator or not pools:
        raise PoolOptionError(
            "names no buffers and pools", where=f"--place {text}", remedy="write PATTERN=POOL"
        )
    return PlacementRule(pattern, tuple(pools.split("+")))
