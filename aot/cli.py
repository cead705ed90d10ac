"""The command line: `microaot COMMAND ...`."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence

import aot
from aot.commands import bench, compile, diff, doctor, inspect, ops, report, run, test
from aot.errors import MicroaotError

_COMMANDS = (compile, run, test, bench, report, diff, inspect, ops, doctor)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; 0 where it succeeded, 1 where it failed, 2 where it was called wrongly."""
    parser = argparse.ArgumentParser(prog="microaot", description=aot.__doc__)
    parser.add_argument("--version", action="version", version=f"microaot {aot.__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in _COMMANDS:
        command.add_parser(commands)
    logging.basicConfig(format="microaot: %(message)s", level=logging.WARNING)
    args = parser.parse_args(argv)
    try:
        return int(args.run(args))
    except MicroaotError as error:
        print(f"microaot: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read the output has seen enough; nothing is left to flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    sys.exit(main())
