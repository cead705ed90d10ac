"""microaot bench: what a model costs on a board, measured."""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from aot.boards.board import Board
from aot.boards.size import image_size
from aot.commands.arguments import add_model_and_board
from aot.commands.firmware import BuiltModel, built, link
from aot.hil.session import Measurement
from aot.hil.testing import run_vectors
from aot.hil.vectors import Vectors
from aot.ir.pools import PoolKind


@dataclass(frozen=True)
class Ram:
    """Bytes: workspace pools, interface tensors outside them, other static data, stack used."""

    pools: int
    io: int
    static: int
    stack: int


@dataclass(frozen=True)
class Flash:
    """Bytes that the model adds to an empty firmware: constants, and everything else."""

    weights: int
    code: int


@dataclass(frozen=True)
class Benchmark:
    """One model on one board; ``per_inference`` counts ``unit``."""

    board: str
    model: str
    unit: str
    per_inference: int
    macs: int
    ram: Ram
    flash: Flash


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The subcommand's arguments."""
    parser = commands.add_parser("bench", help="measure a model on a board")
    add_model_and_board(parser)
    # Nothing here runs twice on one set of inputs, so they need no memory of their own.
    parser.set_defaults(io_in_pools=True)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Builds the model's firmware and an empty one, runs the first, and prints the figures."""
    with built(args) as firmware:
        benchmark = _benchmark(firmware)
    if args.json:
        print(json.dumps(asdict(benchmark), indent=2))
        return 0
    ram, flash = benchmark.ram, benchmark.flash
    print(f"{benchmark.model} on {benchmark.board}")
    print(f"{benchmark.unit:<13} {benchmark.per_inference:>12,}")
    print(f"{'MACs':<13} {benchmark.macs:>12,}")
    print(f"RAM           pools {ram.pools:,}  io {ram.io:,}  static {ram.static:,}", end="")
    print(f"  stack {ram.stack:,}")
    print(f"flash         weights {flash.weights:,}  code {flash.code:,}")
    return 0


def _benchmark(firmware: BuiltModel) -> Benchmark:
    zeros = tuple(np.zeros(t.shape, t.numpy) for t in firmware.interface.inputs)
    # The second inference counts: the first may fill caches and buffers.
    runs = run_vectors(
        firmware.board,
        firmware.image.elf,
        firmware.build_id,
        0,
        firmware.interface,
        Vectors((zeros, zeros), several=True),
        counting=True,
    )
    memory = firmware.model.report.memory
    with tempfile.TemporaryDirectory(prefix="microaot-") as folder:
        empty, _ = link(firmware.board, [], Path(folder))
        without = image_size(firmware.board, empty.elf)
    size = image_size(firmware.board, firmware.image.elf)
    pools = sum(p.bytes for p in memory.pools if p.pool.kind is PoolKind.WORKSPACE)
    return Benchmark(
        firmware.board.name,
        firmware.interface.name,
        *_cost(firmware.board, runs.measurement),
        sum(row.macs for row in firmware.model.report.operators),
        Ram(
            pools,
            memory.io_outside,
            size.ram - without.ram - pools - memory.io_outside,
            runs.measurement.stack_bytes,
        ),
        Flash(memory.weights, size.flash - without.flash - memory.weights),
    )


def _cost(board: Board, measurement: Measurement) -> tuple[str, int]:
    """Unit and number: an emulator takes a nanosecond per instruction when it counts."""
    if board.emulation is not None:
        return "instructions", round(measurement.ticks * board.emulation.ns_per_tick)
    if board.toolchain.is_native:
        return "nanoseconds", measurement.ticks
    return "cycles", measurement.ticks
