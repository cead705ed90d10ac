"""Every algorithm on the same problems, against the oracle and the lower bound."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aot.ir.pools import BufferInfo, BufferKey, Pool, PoolKind
from aot.planners.base import PoolTooSmallError, memory_plan
from aot.planners.lower_bound import peak_live_bytes
from aot.planners.registry import PLANNERS, UnknownPlannerError, planner
from tests.planners.buffers import UNLIMITED, chain, check, problem

EVERY = pytest.mark.parametrize("algorithm", PLANNERS, ids=lambda p: p.name)
SEARCHING = ("hill_climb", "branch_and_bound")
INTERVALS = json.loads(Path(__file__).with_name("intervals.json").read_text())

# Bytes of the activations of MobileNet v1 0.25 at 96 x 96 x 3, int8: image, then the result of
# each convolution (h * w * c).
MOBILENET = [
    *(96 * 96 * 3, 48 * 48 * 8, 48 * 48 * 8, 48 * 48 * 16, 24 * 24 * 16, 24 * 24 * 32),
    *(24 * 24 * 32, 24 * 24 * 32, 12 * 12 * 32, 12 * 12 * 64, 12 * 12 * 64, 12 * 12 * 64),
    *(6 * 6 * 64, 6 * 6 * 128),
]


def resnet() -> list[tuple[int, int, int]]:
    """Three blocks whose input also reaches the addition at their end: 32 x 32 x 16 int8."""
    intervals, point, size = [(0, 1, 3072)], 1, 32 * 32 * 16
    for block in range(3):
        n = size >> block
        intervals += [(point, point + 3, n), (point + 1, point + 2, n), (point + 2, point + 3, n)]
        point += 3
    return intervals


@EVERY
def test_chain(algorithm):
    # The neighbours 100 and 40 live together, as do 40 and 50: 140 is the most.
    buffers = problem(chain([10, 20, 100, 40, 50, 50]))
    plan = algorithm.plan(buffers, UNLIMITED)
    check(plan, buffers)
    assert plan.bytes_used("ram") == 140


@EVERY
def test_mobilenet(algorithm):
    buffers = problem(chain(MOBILENET))
    plan = algorithm.plan(buffers, UNLIMITED)
    check(plan, buffers)
    # 48 * 48 * 8 and 48 * 48 * 16 live together.
    assert peak_live_bytes(buffers) == 48 * 48 * 24
    if algorithm.name in SEARCHING:
        assert plan.bytes_used("ram") == 48 * 48 * 24


@EVERY
def test_resnet(algorithm):
    buffers = problem(resnet())
    plan = algorithm.plan(buffers, UNLIMITED)
    check(plan, buffers)
    # Block input and both intermediates.
    assert peak_live_bytes(buffers) == 3 * 32 * 32 * 16
    if algorithm.name in SEARCHING:
        assert plan.bytes_used("ram") == 3 * 32 * 32 * 16


@EVERY
def test_fan_out(algorithm):
    # One producer (0) with three readers, whose results (1, 2, 3) meet at the end (4).
    buffers = problem([(0, 3, 30), (1, 4, 40), (2, 4, 50), (3, 4, 60), (4, 5, 20)])
    plan = algorithm.plan(buffers, UNLIMITED)
    check(plan, buffers)
    # At point 3: 30 + 40 + 50 + 60.
    assert plan.bytes_used("ram") == 180 == peak_live_bytes(buffers)


@EVERY
@pytest.mark.parametrize("name", sorted(INTERVALS))
def test_published_intervals(algorithm, name):
    entry = INTERVALS[name]
    buffers = problem([tuple(i) for i in entry["intervals_start_end_size"]])
    bound = peak_live_bytes(buffers)
    optimum = next(v for k, v in entry.items() if k.startswith("optimal_bytes"))
    assert bound == optimum
    plan = algorithm.plan(buffers, UNLIMITED)
    check(plan, buffers)
    if algorithm.name in SEARCHING:
        assert plan.bytes_used("ram") <= 1.05 * optimum


@EVERY
def test_a_gap_is_used(algorithm):
    # `low` and `high` conflict with `wide`; `small` fits between the two, which live on.
    keys = {n: BufferKey("main", n) for n in ("base", "lid", "filler")}
    base = BufferInfo(keys["base"], 64, 1, ("ram",), ((0, 9),), (keys["filler"], keys["lid"]))
    lid = BufferInfo(keys["lid"], 32, 1, ("ram",), ((0, 3),), (keys["base"],))
    filler = BufferInfo(keys["filler"], 16, 1, ("ram",), ((4, 9),), (keys["base"],))
    plan = algorithm.plan((base, lid, filler), UNLIMITED)
    check(plan, (base, lid, filler))
    assert plan.bytes_used("ram") == 96


@EVERY
def test_own_alignment_counts(algorithm):
    # 3 bytes, then one that wants 4: it starts at 4, and a byte-aligned one may follow at once.
    buffers = problem([(0, 1, 3), (0, 1, 8), (0, 1, 5)])
    buffers = (buffers[0], replace(buffers[1], alignment=4), buffers[2])
    plan = algorithm.plan(buffers, UNLIMITED)
    check(plan, buffers)
    assert plan.bytes_used("ram") == 16


@EVERY
def test_spills_and_never_returns_to_a_full_pool(algorithm):
    pools = (Pool("fast", PoolKind.WORKSPACE, 100), Pool("slow", PoolKind.WORKSPACE))
    buffers = problem([(0, 9, 60), (0, 9, 50), (0, 9, 30)], candidates=("fast", "slow"))
    plan = algorithm.plan(buffers, pools)
    check(plan, buffers, pools)
    assert plan.bytes_used("fast") == 90
    assert plan.bytes_used("slow") == 50


@EVERY
def test_candidates_bind(algorithm):
    pools = (Pool("fast", PoolKind.WORKSPACE), Pool("slow", PoolKind.WORKSPACE))
    buffers = problem([(0, 1, 10), (0, 1, 20)])
    buffers = (
        replace(buffers[0], candidates=("slow",)),
        replace(buffers[1], candidates=("fast",)),
    )
    plan = algorithm.plan(buffers, pools)
    check(plan, buffers, pools)
    assert {a.key.buffer: a.pool for a in plan.assignments} == {"b000": "slow", "b001": "fast"}


@EVERY
def test_too_small_says_how_much_where_and_at_what(algorithm):
    pools = (Pool("ram", PoolKind.WORKSPACE, 20),)
    with pytest.raises(PoolTooSmallError) as caught:
        algorithm.plan(problem([(0, 1, 10)] * 3), pools)
    text = str(caught.value)
    assert "pool `ram` is 10 bytes too small: it needs 30 and has 20" in text
    assert "operator of b002" in text


@EVERY
def test_no_candidate(algorithm):
    (buffer,) = problem([(0, 1, 10)], candidates=())
    with pytest.raises(PoolTooSmallError, match="no candidate pool"):
        algorithm.plan((buffer,), UNLIMITED)


@EVERY
def test_order_of_the_input_does_not_matter(algorithm):
    buffers = list(problem([(0, 2, 10)] * 3, names=("a", "b", "c")) + problem(resnet()))
    expected = algorithm.plan(tuple(buffers), UNLIMITED)
    for seed in range(5):
        random.Random(seed).shuffle(buffers)
        assert algorithm.plan(tuple(buffers), UNLIMITED) == expected


@EVERY
def test_constants_follow_each_other(algorithm):
    pools = (
        Pool("tcm", PoolKind.CONSTANT, 64),
        Pool("flash", PoolKind.CONSTANT, read_only=True),
    )
    buffers = tuple(
        BufferInfo(
            BufferKey("main", f"w{i}"), 30, 4, ("tcm", "flash"), ((0, 1),), (), PoolKind.CONSTANT
        )
        for i in range(4)
    )
    plan = algorithm.plan(buffers, pools)
    check(plan, buffers, pools)
    # 30, padded to 32, and 30 more fit into 64.
    assert [(a.pool, a.offset) for a in plan.assignments] == [
        *(("tcm", 0), ("tcm", 32), ("flash", 0), ("flash", 32))
    ]


@EVERY
def test_nothing_to_plan(algorithm):
    assert algorithm.plan((), UNLIMITED).assignments == ()


@EVERY
@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 12), st.integers(0, 6), st.integers(0, 200)),
        min_size=1,
        max_size=14,
    ),
    st.sampled_from((1, 4, 16)),
    st.integers(50, 400),
)
def test_random_intervals_in_a_bounded_and_an_unbounded_pool(algorithm, spans, alignment, limit):
    pools = (Pool("fast", PoolKind.WORKSPACE, limit), Pool("slow", PoolKind.WORKSPACE))
    intervals = [(first, first + length, size) for first, length, size in spans]
    buffers = problem(intervals, alignment, ("fast", "slow"))
    check(algorithm.plan(buffers, pools), buffers, pools)


def test_branch_and_bound_beats_the_greedy_ones():
    """A set on which every greedy order leaves a gap, found by trying random ones."""
    rng = random.Random(7)
    better = 0
    for _ in range(15):
        spans = [(rng.randrange(10), rng.randrange(5), rng.randrange(1, 40)) for _ in range(10)]
        buffers = problem([(first, first + length, size) for first, length, size in spans])
        sizes = {p.name: p.plan(buffers, UNLIMITED).bytes_used("ram") for p in PLANNERS}
        assert sizes["branch_and_bound"] == min(sizes.values())
        better += sizes["branch_and_bound"] < sizes["greedy_by_size"]
    assert better


def test_unknown_name():
    with pytest.raises(UnknownPlannerError, match="did you mean `hill_climb`"):
        planner("hil_climb")


def test_custom_algorithm():
    @dataclass(frozen=True)
    class Stack:
        """Everything on top of everything."""

        name: str = "stack"

        def plan(self, buffers, pools):
            end, places = 0, []
            for b in sorted(buffers, key=lambda b: b.key):
                places.append(replace(PLANNERS[0].plan((b,), pools).assignments[0], offset=end))
                end += b.bytes
            return memory_plan(self.name, places, pools)

    chosen = planner("stack", (Stack(),))
    buffers = problem(chain([10, 20, 30]))
    plan = chosen.plan(buffers, UNLIMITED)
    check(plan, buffers)
    assert (plan.algorithm, plan.bytes_used("ram")) == ("stack", 60)
