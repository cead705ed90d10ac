"""microaot diff: what changed between two reports."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from aot.codegen.comments import printable
from aot.report.compare import Change, compare
from aot.report.files import ReportFileError, read_report
from aot.report.schema import SCHEMA


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The subcommand's arguments."""
    parser = commands.add_parser(
        "diff",
        help="say what changed between two reports",
        description="Exits with 0 where no figure grew, 1 where one did, and 2 where a report "
        "cannot be read. Measured figures count where both reports have them.",
    )
    parser.add_argument("before", type=Path, metavar="A.json", help="a report.json")
    parser.add_argument("after", type=Path, metavar="B.json", help="a later one")
    parser.add_argument(
        "--tolerance",
        type=_percent,
        default=0.0,
        metavar="PERCENT",
        help="growth of a figure that does not count (default: 0)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Compares and prints."""
    try:
        changes = compare(read_report(args.before), read_report(args.after), args.tolerance)
    except ReportFileError as error:
        # 1 means that something grew: a file that cannot be read is a wrong call.
        print(f"microaot: {error}", file=sys.stderr)
        return 2
    grew = any(c.grew for c in changes)
    if args.json:
        content = {
            "schema": SCHEMA,
            "tolerance": args.tolerance,
            "grew": grew,
            "changes": [asdict(c) for c in changes],
        }
        print(json.dumps(content, indent=2, sort_keys=True))
    else:
        print("\n".join(_lines(changes)) or "no difference")
    return 1 if grew else 0


def _percent(text: str) -> float:
    value = float(text)
    if not math.isfinite(value) or value < 0:
        raise argparse.ArgumentTypeError(f"{text} is no percentage")
    return value


def _lines(changes: Sequence[Change]) -> list[str]:
    rows = [
        (
            f"{printable(c.subject)}  {c.figure}",
            _number(c.before),
            _number(c.after),
            f"{(c.after or 0) - (c.before or 0):+,}",
            f"{100 * ((c.after or 0) - c.before) / c.before:+.1f} %" if c.before else "new",
            "  grew" if c.grew else "",
        )
        for c in changes
    ]
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(5)]
    return [
        f"{name:<{widths[0]}}  {before:>{widths[1]}} -> {after:>{widths[2]}}  "
        f"{difference:>{widths[3]}}  {share:>{widths[4]}}{mark}"
        for name, before, after, difference, share, mark in rows
    ]


def _number(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"
