"""microaot ops: what is supported, read from the operators themselves."""

from __future__ import annotations

import argparse

from aot.ops.registry import tflite_operators


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The subcommand's arguments."""
    parser = commands.add_parser("ops", help="list supported operators, dtypes, versions, limits")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints one block per operator."""
    for code, kind in tflite_operators().items():
        low, high = kind.versions
        print(f"{code}  versions {low} to {high}")
        for signature in kind.signatures:
            print(f"  {signature}")
        for constraint in kind.constraints:
            print(f"  - {constraint.__doc__}")
    return 0
