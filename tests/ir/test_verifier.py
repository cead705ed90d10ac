"""Rules of whole modules: names, entry, stage, calls."""

from dataclasses import replace

import pytest

from aot.ir.expr import Buffer, Var, imm
from aot.ir.module import Stage
from aot.ir.pools import MemoryPlan
from aot.ir.tir import Allocate, For, ForKind, Invoke, PoolView, PrimFunc, Seq
from aot.ir.types import DType
from aot.ir.verifier import verify
from aot.ir.verify_errors import (
    DuplicateNameError,
    EntryError,
    PlanError,
    RecursiveCallError,
    StageError,
    UndefinedError,
)

from . import modules


def function(name, *statements, params=()):
    return PrimFunc(name, params, Seq(statements), modules.SCALAR)


@pytest.mark.parametrize("stage", ["graph", "called", "lowered", "planned"])
def test_the_modules_of_these_tests_keep_every_rule(stage):
    verify(getattr(modules, stage)(), modules.INTRINSICS)


def test_a_plan_may_exist_before_the_offsets():
    verify(replace(modules.lowered(), plan=modules.planned().plan), modules.INTRINSICS)


def duplicate_function(m):
    return replace(m, functions=(*m.functions, function("main")))


def duplicate_pool(m):
    return replace(m, pools=(*m.pools, m.pools[0]))


def missing_entry(m):
    return replace(m, entry="start")


def graph_late(m):
    return replace(m, functions=(*m.functions, replace(modules.graph().graph, name="g")))


def calling(*functions):
    """Main first calls the first of ``functions``."""

    def change(m):
        main = m.main
        body = Seq((Invoke(functions[0].name, ()), *main.body.body))
        return replace(m, functions=(*functions, *m.functions)).with_function(
            replace(main, body=body)
        )

    return change


def in_loop(*statements):
    return For(Var("turn", DType.INT32), imm(0), imm(2), Seq(statements))


def with_statement(statement):
    def change(m):
        main = m.main
        return m.with_function(replace(main, body=Seq((*main.body.body, statement))))

    return change


SPARE = Buffer("spare", modules.FLAT)
RAM = modules.planned().main.params[2].buffer


@pytest.mark.parametrize(
    ("stage", "change", "error", "message"),
    [
        ("graph", duplicate_function, DuplicateNameError, "two functions are called `main`"),
        ("lowered", duplicate_pool, DuplicateNameError, "two pools are called `ram`"),
        ("graph", missing_entry, EntryError, "small: there is no function `start`"),
        (
            "lowered",
            lambda m: replace(m, stage=Stage.GRAPH, plan=None),
            EntryError,
            "at stage graph the entry is a GraphFunction, not a PrimFunc",
        ),
        (
            "called",
            lambda m: replace(m, stage=Stage.LOWERED),
            EntryError,
            "at stage lowered the entry is a PrimFunc",
        ),
        (
            "graph",
            lambda m: replace(m, plan=MemoryPlan("greedy", (), ())),
            StageError,
            "a graph has no memory plan yet",
        ),
        ("lowered", graph_late, StageError, "g: a graph is left"),
        (
            "planned",
            lambda m: replace(m, stage=Stage.LOWERED),
            StageError,
            "main: `more` is a view into a pool before stage PLANNED",
        ),
        (
            "planned",
            with_statement(Allocate(SPARE)),
            StageError,
            "main: `spare` is still an allocation",
        ),
        ("planned", lambda m: replace(m, plan=None), PlanError, "stage PLANNED has no plan"),
        (
            "lowered",
            with_statement(Allocate(SPARE, candidates=("ram", "rom"))),
            UndefinedError,
            "main: there is no pool `rom` for `spare`",
        ),
        (
            "lowered",
            calling(function("f", Invoke("f", ()))),
            RecursiveCallError,
            "`f` calls itself: f -> f",
        ),
        (
            "lowered",
            calling(function("f", in_loop(Invoke("g", ()))), function("g", Invoke("f", ()))),
            RecursiveCallError,
            "`f` calls itself: f -> g -> f",
        ),
        (
            "planned",
            with_statement(
                replace(in_loop(PoolView(SPARE, RAM, 0)), kind=ForKind.PARALLEL),
            ),
            StageError,
            "`spare` is one view for all turns of a parallel loop",
        ),
    ],
)
def test_a_broken_rule(stage, change, error, message):
    module = getattr(modules, stage)()
    verify(module, modules.INTRINSICS)
    with pytest.raises(error) as caught:
        verify(change(module), modules.INTRINSICS)
    assert message in str(caught.value)


def test_a_function_may_be_reached_by_two_ways():
    last = function("last")
    left = function("left", Invoke("last", ()))
    right = function("right", Invoke("left", ()), Invoke("last", ()))
    module = calling(right, left, last)(modules.lowered())
    verify(module, modules.INTRINSICS)
