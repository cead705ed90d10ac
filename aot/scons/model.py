"""The AotModel builder: one model's generated files."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import SCons.Errors
from SCons.Action import Action
from SCons.Builder import Builder

from aot.boards.board import Board
from aot.boards.loader import load_board
from aot.codegen.files import write_files
from aot.compiler import CompiledModel, CompileOptions
from aot.errors import MicroaotError
from aot.names import module_name
from aot.planners.registry import PLANNERS, planner
from aot.pool_options import placement_rule, pools_of
from aot.progress import Observer, compile_shown
from aot.scons.digest import compiler_digest

_SUFFIXES = (".c", "_data.c", ".h", "_data.h", ".json", "_report.txt")
_C_FILES = 2


@dataclass(frozen=True)
class Placing:
    """Where memory comes from: the words of PLANNER=, IO_IN_POOLS=, POOLS=, CONSTANTS=, PLACE=."""

    planner: str | None = None
    io_in_pools: bool = False
    pools: tuple[str, ...] = ()
    constants: str | None = None
    place: tuple[str, ...] = ()


def model_options(board: Board, name: str, placing: Placing) -> CompileOptions:
    """The compiler's options for a model of a firmware for ``board``."""
    return CompileOptions(
        name,
        pools_of(board.ir_pools(), placing.pools, placing.constants),
        planner=PLANNERS[0] if placing.planner is None else planner(placing.planner),
        io_in_pools=placing.io_in_pools,
        placement=tuple(placement_rule(text) for text in placing.place),
    )


def generated_names(name: str) -> list[str]:
    """The files of a model: first the C sources, then what they include and what describes them."""
    return [f"{name}{suffix}" for suffix in _SUFFIXES]


def signature(options: Sequence[CompileOptions], board: Board) -> str:
    """Text that changes with everything besides the model that decides the generated files."""
    pools = [[asdict(p) for p in o.pools] for o in options]
    words = [[o.name, *o.words()] for o in options]
    facts = [words, pools, board.digest(), compiler_digest()]
    return json.dumps(facts, sort_keys=True, default=str)


def guarded(action: Callable[..., int | None]) -> Callable[..., int]:
    """``action`` as SCons calls it: a MicroaotError ends the build with its message alone.

    What ``action`` returns is the status, None standing for success.
    """

    def run(target: list[Any], source: list[Any], env: Any) -> int:
        try:
            return action(target, source, env) or 0
        except MicroaotError as error:
            raise SCons.Errors.BuildError(target[0], str(error), 1, 2) from None

    return run


def compile_node(
    node: Any, options: CompileOptions, observe: Observer | None = None
) -> CompiledModel:
    """The model of a file node, its progress on stderr."""
    raw = Path(str(node.srcnode())).read_bytes()
    return compile_shown(raw, node.name, options, sys.stderr, observe)


def _generate(target: list[Any], source: list[Any], env: Any) -> None:
    model = compile_node(source[0], env["AOT_OPTIONS"])
    write_files(model.files, Path(str(target[0])).parent)


def _declare(target: list[Any], source: list[Any], env: Any) -> tuple[list[Any], list[Any]]:
    """Every file that the action writes, and the options as a source."""
    folder, name = target[0].dir, env["AOT_OPTIONS"].name
    files = [folder.File(n) for n in generated_names(name)]
    return files, [*source, env.Value(signature([env["AOT_OPTIONS"]], env["AOT_BOARD"]))]


MODEL_BUILDER = Builder(
    action=Action(guarded(_generate), "Compiling $SOURCE for $AOT_BOARD.name"), emitter=_declare
)


def aot_model(
    env: Any,
    name: str,
    model: str,
    BOARD: str = "host",  # noqa: N803 - as on the command line
    PLANNER: str | None = None,  # noqa: N803
    IO_IN_POOLS: bool = False,  # noqa: N803
    POOLS: Sequence[str] = (),  # noqa: N803
    CONSTANTS: str | None = None,  # noqa: N803
    PLACE: Sequence[str] = (),  # noqa: N803
) -> list[Any]:
    """env.AotModel: the C sources of ``model``, generated beside ``name`` for a board.

    Headers, metadata and report are targets of the same build, so scanners know them.
    """
    path = Path(name)
    try:
        board = load_board(BOARD)
        placing = Placing(PLANNER, IO_IN_POOLS, tuple(POOLS), CONSTANTS, tuple(PLACE))
        options = model_options(board, module_name(path.name), placing)
    except MicroaotError as error:
        raise SCons.Errors.UserError(str(error)) from None
    nodes = env.AotModelFiles(name, model, AOT_OPTIONS=options, AOT_BOARD=board)
    env.Precious(nodes)
    return list(nodes[:_C_FILES])
