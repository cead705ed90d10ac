"""microaot compile: generated C for a model and a board."""

from __future__ import annotations

import argparse
from pathlib import Path

from aot.codegen.files import GeneratedFile, write_files
from aot.commands.arguments import add_model_and_board, board_of, compiled
from aot.ir.module import IRModule
from aot.ir.printer import print_module


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The subcommand's arguments."""
    parser = commands.add_parser("compile", help="generate C for a model and a board")
    add_model_and_board(parser)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
    parser.add_argument(
        "--dump-ir", type=Path, metavar="DIR", help="write the IR after every pass as text"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Compiles, writes, and prints the report."""
    dumps: list[GeneratedFile] = []

    def observe(name: str, module: IRModule) -> None:
        dumps.append(GeneratedFile(f"{len(dumps):02}_{name}.ir", print_module(module)))

    board = board_of(args)
    model = compiled(args, board, observe if args.dump_ir else None)
    if args.dump_ir:
        write_files(dumps, args.dump_ir)
    paths = write_files(model.files, args.output)
    print(model.files[-1].text)
    print("wrote", *(str(p) for p in paths), sep="\n  ")
    return 0
