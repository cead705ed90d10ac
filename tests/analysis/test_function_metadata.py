"""Function metadata, compared whole."""

from __future__ import annotations

from aot.analysis.function_metadata import FunctionMetadata, function_metadata
from aot.ir.pools import Pool, PoolKind
from aot.ir.target import Target
from aot.passes.aot_lower_main import AOTLowerMain
from tests.analysis.planning import planned
from tests.passes.modules import RAM, Graph, chain, run


def test_workspace_only():
    module = run(chain([5, 10, 20, 7]), AOTLowerMain())
    assert function_metadata(module) == (
        FunctionMetadata("make_t0", "scalar", 0, 15, 0),
        FunctionMetadata("make_t1", "scalar", 0, 30, 0),
        FunctionMetadata("make_y", "scalar", 0, 27, 0),
        FunctionMetadata("main", "scalar", 30, 12, 0),
    )


def test_constants_only():
    g = Graph()
    g.result(g.call("y", [g.constant("w", 6)], 4))
    module = run(g.module(), AOTLowerMain())
    assert function_metadata(module)[-1] == FunctionMetadata("main", "scalar", 0, 4, 6)


def test_module_pools():
    # Planned, main's workspace is what the pools hold: t0 at 0, t1 at 12 for its alignment of 4.
    module = planned(chain([5, 10, 20, 7]))
    main = function_metadata(module)[-1]
    assert main == FunctionMetadata("main", "scalar", module.plan.bytes_used("ram"), 12, 0)
    assert module.plan.bytes_used("ram") in (30, 32)


def test_a_kernels_own_workspace():
    g = Graph()
    g.result(g.call("y", [g.input("x", 2)], 3, scratch=50))
    before = function_metadata(run(g.module(), AOTLowerMain()))
    assert before == (
        FunctionMetadata("make_y", "scalar", 50, 5, 0),
        FunctionMetadata("main", "scalar", 50, 5, 0),
    )
    assert function_metadata(planned(g.module())) == before


def test_several_targets():
    g = Graph()
    mid = g.call("mid", [g.input("x", 2)], 3, target=Target("npu"))
    g.result(g.call("y", [mid], 1))
    found = function_metadata(run(g.module(), AOTLowerMain()))
    assert [(f.function, f.target) for f in found] == [
        ("make_mid", "npu"),
        ("make_y", "scalar"),
        ("main", "scalar"),
    ]


def test_constants_in_ram_count_as_constants():
    g = Graph(pools=(RAM, Pool("tcm", PoolKind.CONSTANT)))
    g.result(g.call("y", [g.input("x", 1), g.constant("w", 6)], 1))
    assert function_metadata(planned(g.module()))[-1] == FunctionMetadata("main", "scalar", 0, 2, 6)
