"""The compiler driver: a .tflite file and a board's pools in, generated files out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace

import aot
from aot.analysis.executor_metadata import ExecutorMetadata, executor_metadata
from aot.analysis.memory_summary import memory_summary
from aot.analysis.operator_table import code_estimate, operator_table
from aot.codegen.data import data_files
from aot.codegen.files import GeneratedFile
from aot.codegen.header import header
from aot.codegen.metadata_json import metadata_file
from aot.codegen.provenance import Provenance
from aot.codegen.report import ModelReport, report_file
from aot.codegen.source import source
from aot.errors import MicroaotError
from aot.frontend.reader import read_tflite
from aot.ir.module import IRModule
from aot.ir.pools import Pool
from aot.ir.tir import CallingConvention
from aot.names import module_name
from aot.ops.registry import tflite_operators
from aot.passes.annotate_used_memory import AnnotateUsedMemory
from aot.passes.aot_lower_main import AOTLowerMain
from aot.passes.base import ModulePass
from aot.passes.eliminate_copies import EliminateCopies
from aot.passes.eliminate_dead import EliminateDead
from aot.passes.fold_constants import FoldConstants
from aot.passes.fuse_activations import FuseActivations
from aot.passes.legalize_quantization import LegalizeQuantization
from aot.passes.lower_operators import LowerOperators
from aot.passes.pipeline import run_passes
from aot.passes.usmp.assign_pool_info import AssignPoolInfo, PlacementRule
from aot.passes.usmp.convert_pool_allocations_to_offsets import ConvertPoolAllocationsToOffsets
from aot.passes.usmp.create_allocates_for_io import CreateAllocatesForIO
from aot.passes.usmp.plan_memory import PlanMemory
from aot.planners.base import Planner, PoolTooSmallError
from aot.planners.registry import PLANNERS
from aot.targets.base import TargetKind
from aot.targets.scalar import SCALAR


@dataclass(frozen=True)
class CompileOptions:
    """Everything besides the model that decides the generated files.

    ``pools`` are the board's, in its order. ``io_in_pools`` puts the interface tensors into the
    workspace pools. ``placement`` narrows the pools of single buffers.
    """

    name: str
    pools: tuple[Pool, ...]
    target: TargetKind = SCALAR
    planner: Planner = PLANNERS[0]
    io_in_pools: bool = False
    convention: CallingConvention = CallingConvention.UNPACKED
    placement: tuple[PlacementRule, ...] = ()

    def words(self) -> tuple[str, ...]:
        """The options as the generated files state them."""
        rules = (f"placement {r.pattern}={'+'.join(r.pools)}" for r in self.placement)
        return (
            f"target {self.target.target.name}",
            f"planner {self.planner.name}",
            f"calls {self.convention.value}",
            f"interface tensors {'inside' if self.io_in_pools else 'outside'} the pools",
            *(f"pool {p.name} {p.size_limit or 'unlimited'}" for p in self.pools),
            *rules,
        )


@dataclass(frozen=True)
class CompiledModel:
    """A compiled model: the planned module, its interface, its report and the files."""

    module: IRModule
    metadata: ExecutorMetadata
    report: ModelReport
    model_hash: str
    files: tuple[GeneratedFile, ...]


def lowering(options: CompileOptions) -> tuple[ModulePass, ...]:
    """The passes from the file's graph to calls of loop nests, in order."""
    return (
        FoldConstants(),
        FuseActivations(),
        EliminateDead(),
        LegalizeQuantization(),
        LowerOperators(options.target.strategies),
        EliminateCopies(),
        EliminateDead(),
        AOTLowerMain(options.convention),
        *options.target.passes,
    )


def planning(options: CompileOptions, io_in_pools: bool) -> tuple[ModulePass, ...]:
    """The USMP passes, which place every buffer in a pool, in order."""
    return (
        *((CreateAllocatesForIO(), AnnotateUsedMemory()) if io_in_pools else ()),
        AssignPoolInfo(options.placement),
        PlanMemory(options.planner),
        ConvertPoolAllocationsToOffsets(),
    )


def compile_model(
    raw: bytes,
    file_name: str,
    options: CompileOptions,
    observe: Callable[[str, IRModule], None] | None = None,
) -> CompiledModel:
    """Compiles the .tflite file ``raw``, called ``file_name`` in messages and comments.

    ``observe`` sees the module as read and after each pass. Raises a MicroaotError that names
    the file.
    """
    try:
        lowered = _lowered(raw, options, observe)
        steps = planning(options, options.io_in_pools)
        planned = run_passes(lowered, steps, options.target.signatures, observe)
        together = planned if options.io_in_pools else _with_io(lowered, options)
    except MicroaotError as error:
        error.within(file_name)
        raise
    model_hash = hashlib.sha256(raw).hexdigest()
    provenance = Provenance(aot.__version__, model_hash, file_name, options.words())
    metadata = executor_metadata(planned)
    report = ModelReport(
        planned.name,
        options.planner.name,
        memory_summary(planned),
        None if together is None else memory_summary(together).workspace,
        operator_table(planned),
        code_estimate(planned),
    )
    c_files = (
        header(metadata, provenance, bool(planned.images)),
        source(planned, metadata, options.target.intrinsics, provenance),
        *data_files(planned, provenance),
    )
    files = (
        *c_files,
        metadata_file(metadata, report, provenance, c_files),
        report_file(report, provenance),
    )
    return CompiledModel(planned, metadata, report, model_hash, files)


def _lowered(
    raw: bytes,
    options: CompileOptions,
    observe: Callable[[str, IRModule], None] | None,
) -> IRModule:
    name = module_name(options.name)
    read = read_tflite(raw, name, options.target.target, tflite_operators())
    module = replace(read, pools=options.pools)
    if observe is not None:
        observe("read", module)
    return run_passes(module, lowering(options), options.target.signatures, observe)


def _with_io(lowered: IRModule, options: CompileOptions) -> IRModule | None:
    """The plan with the interface tensors in the pools, for the report; None where they do not
    fit."""
    try:
        return run_passes(lowered, planning(options, True), options.target.signatures)
    except PoolTooSmallError:
        return None
