"""microaot report: memory and operators of a model in a firmware, as a page, data and a table."""

from __future__ import annotations

import argparse
from pathlib import Path

from aot.codegen.files import write_files
from aot.commands.arguments import add_model_and_board, options_of
from aot.commands.firmware import built
from aot.report.files import firmware_report, report_files
from aot.report.model import GraphKeeper, model_section
from aot.report.screen import memory_screen


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The subcommand's arguments."""
    parser = commands.add_parser(
        "report", help="write report.html, report.json and report.csv of a model on a board"
    )
    add_model_and_board(parser)
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="DIR",
        help="folder to write to, whose test.json tells what a test of the same build measured",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Builds, measures, writes, and prints the summary and the paths."""
    keeper = GraphKeeper()
    with built(args, keeper.observe) as firmware:
        options = options_of(args, firmware.board)
        model = model_section(firmware.model, keeper.graph, options, args.model.name)
        report = firmware_report(
            firmware.board, firmware.image.elf, firmware.build_id, [model], args.output
        )
    paths = write_files(report_files(report), args.output)
    print(firmware.model.files[-1].text)
    print(memory_screen(report.board, report.memory))
    print("wrote", *(str(p) for p in paths), sep="\n  ")
    return 0
