"""AOTLowerMain: parameters, allocations, calls, copies, conventions, hooks, names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aot.ir.module import Stage
from aot.ir.op import CallPrim
from aot.ir.parser import parse_module
from aot.ir.printer import print_module
from aot.ir.target import Target
from aot.ir.tir import (
    Allocate,
    AllocateConst,
    CallingConvention,
    DeviceHook,
    HookKind,
    Invoke,
    ParamRole,
)
from aot.passes.aot_lower_main import AOTLowerMain, NotLoweredError
from tests.ir.modules import Blend
from tests.passes.modules import Graph, run


def lowered(graph: Graph, **options):
    module = run(graph.module(), AOTLowerMain(**options))
    assert module.stage is Stage.LOWERED
    assert parse_module(print_module(module), {"call_prim": CallPrim}) == module
    return module


def calls(module):
    return [
        (s.function, *(b.name for b in s.args))
        for s in module.main.body.body
        if isinstance(s, Invoke)
    ]


def allocated(module):
    return [s.buffer.name for s in module.main.body.body if isinstance(s, Allocate)]


def params(module):
    return [(p.name, p.role) for p in module.main.params]


def test_one_call():
    g = Graph()
    g.result(g.call("y", [g.input("x", 4)], 8))
    module = lowered(g)
    assert params(module) == [("x", ParamRole.INPUT), ("y", ParamRole.OUTPUT)]
    assert calls(module) == [("make_y", "x", "y")]
    assert allocated(module) == []
    assert [f.name for f in module.functions] == ["make_y", "main"]


@pytest.mark.parametrize("convention", CallingConvention)
def test_convention(convention):
    g = Graph()
    g.result(g.call("y", [g.input("x", 4)], 8))
    module = lowered(g, convention=convention)
    assert module.function("make_y").convention is convention
    assert module.main.convention is CallingConvention.UNPACKED


def test_constant_argument():
    g = Graph()
    g.result(g.call("y", [g.input("x", 4), g.constant("w", 3)], 8))
    g.constant("unused", 9)
    module = lowered(g)
    constants = [s for s in module.main.body.body if isinstance(s, AllocateConst)]
    assert [(s.buffer.name, s.data.raw) for s in constants] == [("w", b"\1\1\1")]
    assert calls(module) == [("make_y", "x", "w", "y")]


def test_result_that_is_an_input():
    g = Graph()
    g.result(g.input("x", 4), "again")
    module = lowered(g)
    assert params(module) == [("x", ParamRole.INPUT), ("again", ParamRole.OUTPUT)]
    assert calls(module) == [("copy_again", "x", "again")]
    assert module.function("copy_again").info.copies


def test_result_that_is_a_constant():
    g = Graph()
    g.result(g.constant("w", 3), "weights")
    assert calls(lowered(g)) == [("copy_weights", "w", "weights")]


def test_result_listed_twice():
    g = Graph()
    y = g.call("y", [g.input("x", 4)], 8)
    g.result(y, "first")
    g.result(y, "second")
    assert calls(lowered(g)) == [("make_y", "x", "first"), ("copy_second", "first", "second")]


def test_two_calls():
    g = Graph()
    mid = g.call("mid", [g.input("x", 4)], 6)
    g.result(g.call("y", [mid], 8))
    module = lowered(g)
    assert allocated(module) == ["mid"]
    assert calls(module) == [("make_mid", "x", "mid"), ("make_y", "mid", "y")]
    (allocation,) = [s for s in module.main.body.body if isinstance(s, Allocate)]
    assert allocation.origin == "MID #0"


def test_result_that_is_also_read_inside():
    g = Graph()
    mid = g.call("mid", [g.input("x", 4)], 6)
    g.result(mid)
    g.result(g.call("y", [mid], 8))
    module = lowered(g)
    assert allocated(module) == []
    assert calls(module) == [("make_mid", "x", "mid"), ("make_y", "mid", "y")]


def test_several_inputs_and_results():
    g = Graph()
    a, b = g.input("a", 2), g.input("b", 3)
    g.result(g.call("sum", [a, b], 3))
    g.result(g.call("product", [b, a], 3))
    module = lowered(g)
    assert [name for name, _ in params(module)] == ["a", "b", "sum", "product"]
    assert calls(module) == [("make_sum", "a", "b", "sum"), ("make_product", "b", "a", "product")]


def test_branch():
    g = Graph()
    x = g.input("x", 4)
    left, right = g.call("left", [x], 5), g.call("right", [x], 6)
    g.result(g.call("y", [left, right], 8))
    assert calls(lowered(g)) == [
        ("make_left", "x", "left"),
        ("make_right", "x", "right"),
        ("make_y", "left", "right", "y"),
    ]


def test_one_kernel_called_twice():
    g = Graph()
    mid = g.call("mid", [g.input("x", 4)], 4, kernel_name="same")
    g.result(g.call("y", [mid], 4, kernel_name="same"))
    module = lowered(g)
    assert calls(module) == [("same", "x", "mid"), ("same", "mid", "y")]
    assert [s.origin for s in module.main.body.body if isinstance(s, Invoke)] == [
        "MID #0",
        "Y #1",
    ]


def test_device_hooks():
    npu = Target("npu", devices=("npu0",))
    g = Graph(target=npu)
    mid = g.call("mid", [g.input("x", 4)], 6)
    g.result(g.call("y", [mid], 8, target=Target("scalar")))
    module = lowered(g)
    assert params(module)[-1] == ("npu0", ParamRole.DEVICE)
    order = [
        s.kind if isinstance(s, DeviceHook) else s.function
        for s in module.main.body.body
        if isinstance(s, DeviceHook | Invoke)
    ]
    assert order == [
        HookKind.ACTIVATE,
        HookKind.OPEN,
        "make_mid",
        HookKind.CLOSE,
        "make_y",
        HookKind.DEACTIVATE,
    ]


def test_no_device_no_hooks():
    g = Graph()
    g.result(g.call("y", [g.input("x", 4)], 8))
    assert not any(isinstance(s, DeviceHook) for s in lowered(g).main.body.body)


def test_names_are_identifiers_and_unique():
    g = Graph()
    g.result(g.call("t;0", [g.input("serving:0", 4), g.input("serving/0", 4)], 8), "int")
    main = lowered(g).main
    assert [(p.name, p.tensor) for p in main.params] == [
        ("serving_0", "serving:0"),
        ("serving_0_2", "serving/0"),
        ("int_", "int"),
    ]


def test_control_flow_is_refused():
    g = Graph()
    x = g.input("x", 4)
    g.result(g.call("y", [x], 4))
    g.calls[0] = replace(g.calls[0], op=Blend(), origin="IF #7")
    with pytest.raises(NotLoweredError, match="IF #7: blend is not a call"):
        AOTLowerMain().run(g.module())
