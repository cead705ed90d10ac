"""microaot run: a model's outputs for inputs from a file, computed on a board."""

from __future__ import annotations

import argparse
from pathlib import Path

from aot.commands.arguments import add_model_and_board, add_port
from aot.commands.firmware import built
from aot.hil.testing import run_vectors
from aot.hil.vectors import read_vectors, write_vectors


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The subcommand's arguments."""
    parser = commands.add_parser("run", help="run a model on a board")
    add_model_and_board(parser)
    add_port(parser)
    parser.add_argument(
        "--input", type=Path, required=True, metavar="IN.npz", help="arrays in0, in1, ..."
    )
    parser.add_argument(
        "--output", type=Path, required=True, metavar="OUT.npz", help="arrays out0, out1, ..."
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Builds, starts, feeds and stores."""
    with built(args) as firmware:
        vectors = read_vectors(args.input, "in", firmware.interface.inputs)
        runs = run_vectors(
            firmware.board,
            firmware.image.elf,
            firmware.build_id,
            0,
            firmware.interface,
            vectors,
            port=args.port,
        )
    write_vectors(args.output, "out", runs.outputs, vectors.several)
    print(f"{firmware.interface.name} on {runs.label}: {len(runs.outputs)} runs to {args.output}")
    return 0
