"""The pipeline: verifies around every pass, names the one at fault, tells observers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aot.ir.verifier import VerificationError
from aot.passes.base import ModulePass
from aot.passes.eliminate_dead import EliminateDead
from aot.passes.fold_constants import FoldConstants
from aot.passes.pipeline import run_passes
from aot.targets.scalar import SCALAR
from tests.passes.graphs import float_chain, read, run


def test_the_pipeline_names_the_pass_that_broke_a_rule():
    class Breaker(ModulePass):
        name = "Breaker"

        def run(self, module):
            return replace(module, entry="nowhere")

    with pytest.raises(VerificationError, match="after Breaker: m: there is no function"):
        run(read(float_chain("RELU")), Breaker())


def test_the_pipeline_checks_its_input():
    module = replace(read(float_chain("RELU")), entry="nowhere")
    with pytest.raises(VerificationError, match="after input"):
        run(module)


def test_observers_see_every_pass():
    seen = []
    run_passes(
        read(float_chain("RELU")),
        (FoldConstants(), EliminateDead()),
        SCALAR.signatures,
        lambda name, module: seen.append(name),
    )
    assert seen == ["FoldConstants", "EliminateDead"]
