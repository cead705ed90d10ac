"""The difference of two modules names the place and both values."""

import math
from dataclasses import replace

import pytest

from aot.ir.equality import difference
from aot.ir.expr import Buffer, Imm, Var
from aot.ir.tir import Assign, Let, PrimFunc, Seq, Store
from aot.ir.types import Data, DType, Quantization, TensorType

from . import modules


def with_kernel(*statements):
    """A module of one kernel with this body."""
    function = PrimFunc("f", (), Seq(statements), modules.SCALAR)
    return replace(modules.lowered(), functions=(function,))


def changed(module, **fields):
    """``module`` with fields of main replaced."""
    main = module.function("main")
    return module.with_function(replace(main, **fields))


@pytest.mark.parametrize("stage", ["graph", "called", "lowered", "planned"])
def test_modules_built_alike_are_equal(stage):
    build = getattr(modules, stage)
    assert difference(build(), build()) is None


def test_every_kind_of_difference_has_its_place():
    lowered, planned, graph = modules.lowered(), modules.planned(), modules.graph()
    main, calls = lowered.main, graph.graph.calls
    other = replace(main.body.body[3], args=(modules.IMAGE, modules.MORE, modules.MIDDLE))
    short = Data.of([1, 2], DType.INT8)
    cases = [
        (lowered, replace(lowered, name="other"), "name: 'small' != 'other'"),
        (lowered, replace(lowered, stage=planned.stage), "stage: LOWERED != PLANNED"),
        (planned, replace(planned, plan=None), "plan: MemoryPlan != None"),
        (lowered, replace(lowered, pools=()), "pools: 3 items != 0 items"),
        (
            lowered,
            replace(lowered, pools=(modules.POOLS[0], replace(modules.POOLS[1], alignment=4))),
            "pools[flash].alignment: 16 != 4 (of 3 and 2 items)",
        ),
        (
            lowered,
            changed(lowered, body=Seq((*main.body.body[:3], other, main.body.body[4]))),
            "functions[main].body[3].args[1]: buffer `w` != buffer `more`",
        ),
        (
            lowered,
            changed(lowered, body=Seq(main.body.body[1:])),
            "functions[main].body[0].buffer: buffer `w` != buffer `more` (of 5 and 4 items)",
        ),
        (
            graph,
            changed(graph, calls=(replace(calls[0], op=modules.Shapeless(1)),)),
            "functions[main].calls[0].op: Blend != Shapeless",
        ),
        (
            graph,
            changed(graph, calls=(replace(calls[0], op=modules.Blend(mode=modules.Mode.EXACT)),)),
            "functions[main].calls[0].op.axes: 1 items != 0 items",
        ),
        (
            planned,
            replace(planned, images=(replace(planned.images[0], data=short),)),
            "images[0].data.shape[0]: 4 != 2",
        ),
    ]
    for a, b, expected in cases:
        assert difference(a, b) == expected
        assert a != b


def test_contents_differ_at_a_byte():
    a = modules.planned()
    data = replace(a.images[0].data, raw=b"\x01\x02\x04\xff")
    b = replace(a, images=(replace(a.images[0], data=data),))
    assert difference(a, b) == "images[0].data.raw[2]: 0x03 != 0x04"
    b = replace(a, images=(replace(a.images[0], data=replace(data, raw=b"")),))
    assert difference(a, b) == "images[0].data.raw: 4 bytes != 0 bytes"


def test_a_buffer_of_the_same_name_differs_in_its_type():
    def of(scale):
        type_ = TensorType((1,), DType.INT8, Quantization((scale,), (0,)))
        return with_kernel(Store(Buffer("b", type_), Imm(0, DType.INT32), Imm(0, DType.INT8)))

    assert difference(of(0.5), of(0.25)) == (
        "functions[f].body[0].buffer.type.quantization.scales[0]: 0.5 != 0.25"
    )


def test_numbers_that_make_other_code_differ():
    def of(value):
        return with_kernel(Let(Var("x", DType.FLOAT32), Imm(value, DType.FLOAT32)))

    assert difference(of(0.0), of(-0.0)) == "functions[f].body[0].value.value: 0.0 != -0.0"
    assert difference(of(1), of(1.0)) == "functions[f].body[0].value.value: 1 != 1.0"
    assert difference(of(math.nan), of(-float("nan"))) is None
    assert difference(of(math.nan), of(0.0)) == "functions[f].body[0].value.value: nan != 0.0"


def test_statements_of_different_kinds():
    var, value = Var("x", DType.INT32), Imm(1, DType.INT32)
    a, b = with_kernel(Let(var, value)), with_kernel(Assign(var, value))
    assert difference(a, b) == "functions[f].body[0]: Let != Assign"


def test_long_values_are_cut():
    a = modules.graph()
    found = difference(a, replace(a, name="n" * 500))
    assert found is not None
    assert len(found) < 100
