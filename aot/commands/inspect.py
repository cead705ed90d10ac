"""microaot inspect: the IR of a model as text."""

from __future__ import annotations

import argparse
from pathlib import Path

from aot.commands.arguments import read_model
from aot.compiler import CompileOptions, compile_model
from aot.errors import MicroaotError
from aot.ir.module import IRModule
from aot.ir.pools import Pool, PoolKind
from aot.ir.printer import print_module

_POOLS = (
    Pool("ram", PoolKind.WORKSPACE),
    Pool("flash", PoolKind.CONSTANT, read_only=True),
)


class UnknownStageError(MicroaotError):
    """A --stage that no pass is called."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The subcommand's arguments."""
    parser = commands.add_parser("inspect", help="print the IR of a model")
    parser.add_argument("model", type=Path, metavar="MODEL", help="a .tflite file")
    parser.add_argument(
        "--stage", default="read", help="`read`, or the pass after which to look (default: read)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Compiles for one unlimited RAM and flash, and prints the module at the stage."""
    stages: dict[str, IRModule] = {}

    def observe(name: str, module: IRModule) -> None:
        stages[name] = module

    options = CompileOptions(args.model.stem, _POOLS)
    compile_model(read_model(args.model), args.model.name, options, observe)
    if args.stage not in stages:
        raise UnknownStageError(
            f"there is no stage `{args.stage}`", remedy=f"stages are {', '.join(stages)}"
        )
    print(print_module(stages[args.stage]), end="")
    return 0
