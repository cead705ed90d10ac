"""Executor metadata: everything that the generated interface says about a planned module."""

from __future__ import annotations

from dataclasses import dataclass

from aot.ir.pools import Pool
from aot.ir.tir import CallingConvention, ParamRole
from aot.ir.types import TensorType


@dataclass(frozen=True)
class TensorInfo:
    """An interface tensor: C identifier, name in the model, type with quantization."""

    name: str
    tensor: str
    type: TensorType


@dataclass(frozen=True)
class PoolInfo:
    """A pool that main takes a pointer to: C identifier, the pool, bytes used of it."""

    name: str
    pool: Pool
    bytes: int


@dataclass(frozen=True)
class IoAllocation:
    """Where an interface tensor lives inside a pool: identifiers, bytes."""

    name: str
    role: ParamRole
    pool: str
    offset: int
    bytes: int


@dataclass(frozen=True)
class ExecutorMetadata:
    """The interface of a module, read from its main function and its plan alone.

    ``inputs`` and ``outputs`` are in the model's order, wherever the tensors live; ``pools`` in
    the order of main's parameters. Alignments are bytes: what a caller must give every pool.
    """

    module_name: str
    executor: str
    interface: str
    convention: CallingConvention
    inputs: tuple[TensorInfo, ...]
    outputs: tuple[TensorInfo, ...]
    workspace_pools: tuple[PoolInfo, ...]
    constant_pools: tuple[PoolInfo, ...]
    io_allocations: tuple[IoAllocation, ...]
    devices: tuple[str, ...]
    workspace_alignment: int
    constant_alignment: int
