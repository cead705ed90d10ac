"""microaot inspect: the IR of a model as text, and where it differs from an earlier text."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from aot.commands.arguments import read_model
from aot.compiler import CompileOptions
from aot.errors import MicroaotError
from aot.ir.equality import difference
from aot.ir.module import IRModule
from aot.ir.parser import parse_module
from aot.ir.pools import Pool, PoolKind
from aot.ir.printer import print_module
from aot.ops.registry import all_operators
from aot.progress import compile_shown

_POOLS = (
    Pool("ram", PoolKind.WORKSPACE),
    Pool("flash", PoolKind.CONSTANT, read_only=True),
)


class UnknownStageError(MicroaotError):
    """A --stage that no pass is called."""


class TextFileError(MicroaotError):
    """An --against that cannot be read."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The subcommand's arguments."""
    parser = commands.add_parser("inspect", help="print the IR of a model")
    parser.add_argument("model", type=Path, metavar="MODEL", help="a .tflite file")
    parser.add_argument(
        "--stage", default="read", help="`read`, or the pass after which to look (default: read)"
    )
    parser.add_argument(
        "--against",
        type=Path,
        metavar="FILE",
        help="instead of printing, say where the IR differs from this text; 1 where it does",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Compiles for one unlimited RAM and flash, and prints or compares the module at the stage."""
    stages: dict[str, IRModule] = {}

    def observe(name: str, module: IRModule) -> None:
        stages[name] = module

    options = CompileOptions(args.model.stem, _POOLS)
    compile_shown(read_model(args.model), args.model.name, options, sys.stderr, observe)
    if args.stage not in stages:
        raise UnknownStageError(
            f"there is no stage `{args.stage}`", remedy=f"stages are {', '.join(stages)}"
        )
    if args.against is None:
        print(print_module(stages[args.stage]), end="")
        return 0
    found = difference(stages[args.stage], _parsed(args.against))
    print(found or "no difference")
    return 1 if found else 0


def _parsed(path: Path) -> IRModule:
    """The module in a text file. Raises TextFileError or ParseError."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TextFileError(f"cannot be read ({error})", where=str(path)) from error
    try:
        return parse_module(text, all_operators())
    except MicroaotError as error:
        error.within(str(path))
        raise
