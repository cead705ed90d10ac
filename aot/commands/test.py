"""microaot test: a model's outputs on a board against those in a file."""

from __future__ import annotations

import argparse
from pathlib import Path

from aot.commands.arguments import add_model_and_board, add_port
from aot.commands.firmware import built
from aot.hil.testing import run_test


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The subcommand's arguments."""
    parser = commands.add_parser("test", help="compare a model on a board with expected outputs")
    add_model_and_board(parser)
    add_port(parser)
    parser.add_argument(
        "--vectors",
        type=Path,
        required=True,
        metavar="V.npz",
        help="arrays in0, ... and the expected out0, ...: integers must be equal, floats within "
        "1e-5 relative or 1e-6 absolute",
    )
    parser.add_argument("--junit", type=Path, metavar="XML", help="write a JUnit record")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Builds, starts, feeds and compares; 1 where anything differs."""
    with built(args) as firmware:
        outcome = run_test(
            firmware.board,
            firmware.image.elf,
            firmware.build_id,
            [firmware.metadata],
            [args.vectors],
            args.junit,
            args.port,
        )
    print(outcome.text)
    return 0 if outcome.passed else 1
