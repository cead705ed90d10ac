"""Rules of memory plans, each broken once."""

from dataclasses import replace

import pytest

from aot.ir.pools import Assignment, BufferKey, Pool, PoolKind, PoolUse
from aot.ir.types import Data, DType
from aot.ir.verify_errors import ConstantDataError, PlanError
from aot.ir.verify_plan import verify_plan

from . import modules

MODULE = modules.planned()
PLAN, MAIN = MODULE.plan, MODULE.main
(IMAGE,) = MODULE.images
MIDDLE, MORE, WEIGHTS = PLAN.assignments


def test_this_plan_keeps_every_rule():
    verify_plan(MODULE)


def plan(**fields):
    return replace(MODULE, plan=replace(PLAN, **fields))


def main(params):
    return MODULE.with_function(replace(MAIN, params=params))


def image(**fields):
    return replace(MODULE, images=(replace(IMAGE, **fields),))


def pool(index, **fields):
    pools = list(MODULE.pools)
    pools[index] = replace(pools[index], **fields)
    return replace(MODULE, pools=tuple(pools))


@pytest.mark.parametrize(
    ("module", "error", "message"),
    [
        (replace(MODULE, plan=None), PlanError, "small: stage PLANNED has no plan"),
        (
            plan(used=(*PLAN.used, PoolUse("rom", 4))),
            PlanError,
            "the plan uses pool `rom`, which is unknown",
        ),
        (
            plan(assignments=(*PLAN.assignments, Assignment(BufferKey("f", "b"), "rom", 0, 4))),
            PlanError,
            "buffer f/b: the plan uses pool `rom`, which is unknown",
        ),
        (pool(0, size_limit=3), PlanError, "pool ram: the plan takes 4 bytes of 3"),
        (
            plan(assignments=(replace(MIDDLE, offset=1), MORE, WEIGHTS)),
            PlanError,
            "buffer main/middle: 4 bytes at 1 end beyond what pool `ram` uses",
        ),
        (
            plan(assignments=(replace(MIDDLE, offset=-1), MORE, WEIGHTS)),
            PlanError,
            "4 bytes at -1",
        ),
        (
            plan(used=PLAN.used[:1]),
            PlanError,
            "buffer main/more: 4 bytes at 4 end beyond what pool `tcm` uses",
        ),
        (
            main(MAIN.params[:3]),
            PlanError,
            "main: its pool parameters are not those in use: ram (4 bytes), tcm (8 bytes)",
        ),
        (
            main((*MAIN.params[:2], MAIN.params[3], MAIN.params[2])),
            PlanError,
            "its pool parameters are not those in use",
        ),
        (
            plan(used=(PoolUse("ram", 8), *PLAN.used[1:])),
            PlanError,
            "its pool parameters are not those in use: ram (8 bytes)",
        ),
        (
            replace(MODULE, pools=(*MODULE.pools, Pool("x", PoolKind.WORKSPACE))).with_function(
                replace(MAIN, params=(*MAIN.params, replace(MAIN.params[2], name="x")))
            ),
            PlanError,
            "its pool parameters are not those in use",
        ),
        (image(offset=0), PlanError, "image of main/more: lies elsewhere than the plan says"),
        (image(pool="flash"), PlanError, "image of main/more: lies elsewhere than the plan says"),
        (image(key=WEIGHTS.key), PlanError, "image of main/w: lies elsewhere"),
        (
            image(data=Data.of([1, 2], DType.INT8)),
            PlanError,
            "image of main/more: lies elsewhere than the plan says",
        ),
        (
            image(key=WEIGHTS.key, pool="flash", offset=0),
            PlanError,
            "image of main/w: pool `flash` is none to copy constants to",
        ),
        (
            image(data=Data((4,), DType.INT8, b"1")),
            ConstantDataError,
            "image of main/more: has 1 bytes of 4",
        ),
    ],
)
def test_a_broken_rule(module, error, message):
    with pytest.raises(error) as caught:
        verify_plan(module)
    assert message in str(caught.value)
