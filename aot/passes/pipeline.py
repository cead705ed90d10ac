"""Runs passes in order, verifying the module before the first and after each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from aot.analysis.plan_check import check_plan
from aot.ir.intrinsics import IntrinsicSignature
from aot.ir.module import IRModule, Stage
from aot.ir.verifier import VerificationError, verify
from aot.passes.base import ModulePass

Observer = Callable[[str, IRModule], None]
"""Called with each pass's name and the module that it returned."""


def run_passes(
    module: IRModule,
    passes: Sequence[ModulePass],
    intrinsics: tuple[IntrinsicSignature, ...],
    observe: Observer | None = None,
) -> IRModule:
    """The module after every pass.

    Raises VerificationError naming the pass after which a rule of the module's stage is broken.
    """
    _check(module, "input", intrinsics)
    for step in passes:
        module = step.run(module)
        _check(module, step.name, intrinsics)
        if observe is not None:
            observe(step.name, module)
    return module


def _check(module: IRModule, after: str, intrinsics: tuple[IntrinsicSignature, ...]) -> None:
    try:
        verify(module, intrinsics)
        if module.stage is Stage.PLANNED:
            check_plan(module)
    except VerificationError as error:
        error.within(f"after {after}")
        raise
