"""usmp.CreateAllocatesForIO: interface tensors move into the pools."""

from __future__ import annotations

import pytest

from aot.ir.tir import (
    Allocate,
    Interface,
    ParamRole,
    PoolView,
)
from aot.passes.aot_lower_main import AOTLowerMain
from aot.passes.usmp.create_allocates_for_io import CreateAllocatesForIO
from tests.passes.modules import Graph, chain, run
from tests.passes.usmp.planning import planned


@pytest.mark.parametrize(("inputs", "outputs"), [(1, 1), (1, 2), (2, 1), (2, 2)])
def test_create_allocates_for_io(inputs, outputs):
    g = Graph()
    sources = [g.input(f"x{i}", 4 + i) for i in range(inputs)]
    for i in range(outputs):
        g.result(g.call(f"y{i}", sources, 8 + i))
    module = run(g.module(), AOTLowerMain(), CreateAllocatesForIO())
    assert module.main.params == ()
    made = [s for s in module.main.body.body if isinstance(s, Allocate)]
    assert [(s.buffer.type.bytes, s.io) for s in made] == [
        *((4 + i, Interface(ParamRole.INPUT, f"x{i}", f"x{i}")) for i in range(inputs)),
        *((8 + i, Interface(ParamRole.OUTPUT, f"y{i}", f"y{i}")) for i in range(outputs)),
    ]


def test_io_in_pools():
    module = planned(chain([64, 16, 64]), io=True)
    assert [p.name for p in module.main.params] == ["ram"]
    inside = [s for s in module.main.body.body if isinstance(s, PoolView) and s.io]
    assert [(s.io.role, s.io.name) for s in inside] == [
        (ParamRole.INPUT, "x"),
        (ParamRole.OUTPUT, "y"),
    ]
    # The input is dead when the output is written: they share 64 bytes.
    assert module.plan.bytes_used("ram") == 80
