"""The proof of a plan finds what a planner may get wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aot.analysis.plan_check import MisplacedError, OverlapError, check_plan
from aot.ir.tir import (
    PoolView,
)
from aot.ir.visitor import rewrite
from tests.passes.modules import FLASH, RAM, chain
from tests.passes.usmp.planning import planned, views


def moved(module, name, offset):
    """``module`` with a view at another offset, and a plan that says the same."""

    def move(s):
        return replace(s, offset=offset) if isinstance(s, PoolView) and s.buffer.name == name else s

    plan = replace(
        module.plan,
        assignments=tuple(
            replace(a, offset=offset) if a.key.buffer == name else a
            for a in module.plan.assignments
        ),
    )
    main = replace(module.main, body=rewrite(module.main.body, move))
    return replace(module.with_function(main), plan=plan)


def test_plan_check_finds_an_overlap():
    module = planned(chain([5, 16, 16, 7]))
    places = views(module)
    with pytest.raises(OverlapError, match="live at point 1"):
        check_plan(moved(module, "t1", places["t0"][1]))


def test_plan_check_finds_a_view_that_contradicts_the_plan():
    module = planned(chain([5, 16, 16, 7]))
    with pytest.raises(MisplacedError, match="elsewhere than the plan says"):
        check_plan(replace(moved(module, "t0", 4), plan=module.plan))


def test_plan_check_finds_a_broken_limit():
    module = planned(chain([5, 16, 16, 7]))
    pools = (replace(RAM, size_limit=20), FLASH)
    with pytest.raises(MisplacedError, match="beyond the limit of 20"):
        check_plan(replace(module, pools=pools))


def test_plan_check_finds_a_wrong_target():
    module = planned(chain([5, 16, 16, 7]))
    with pytest.raises(MisplacedError, match="does not serve target scalar"):
        check_plan(replace(module, pools=(replace(RAM, targets=("npu",)), FLASH)))
