"""Buffer info: sizes, live intervals, conflicts, pressure; conflicts compared for equality."""

from __future__ import annotations

from aot.analysis.buffer_info import buffer_info
from aot.ir.pools import PoolKind
from aot.passes.aot_lower_main import AOTLowerMain
from aot.passes.convert_for_loops_to_serial import ConvertForLoopsToSerial
from aot.passes.usmp.assign_pool_info import AssignPoolInfo
from tests.passes.modules import Graph, chain, run


def info(module, *passes):
    result = buffer_info(run(module, AOTLowerMain(), *passes, AssignPoolInfo()))
    return {str(b.key).removeprefix("main/"): b for b in result.buffers}, result.pressure


def conflicts(buffers):
    return {
        name: {str(k).removeprefix("main/") for k in b.conflicts} for name, b in buffers.items()
    }


def test_linear():
    buffers, pressure = info(chain([5, 10, 20, 40, 7]))
    assert conflicts(buffers) == {"t0": {"t1"}, "t1": {"t0", "t2"}, "t2": {"t1"}}
    assert {n: (b.bytes, b.live) for n, b in buffers.items()} == {
        "t0": (10, ((0, 1),)),
        "t1": (20, ((1, 2),)),
        "t2": (40, ((2, 3),)),
    }
    assert pressure == 60
    assert buffers["t1"].origin == "T1 #1"


def test_inception():
    """Four branches of one value, joined: the stem lives until the last branch has read it."""
    g = Graph()
    stem = g.call("stem", [g.input("x", 1)], 100)
    one = g.call("one", [stem], 10)
    two_a = g.call("two_a", [stem], 20)
    two_b = g.call("two_b", [two_a], 30)
    pool = g.call("pool", [stem], 40)
    g.result(g.call("y", [one, two_b, pool], 1))
    buffers, pressure = info(g.module())
    # Points: stem 0, one 1, two_a 2, two_b 3, pool 4, y 5.
    assert conflicts(buffers) == {
        "stem": {"one", "two_a", "two_b", "pool"},
        "one": {"stem", "two_a", "two_b", "pool"},
        "two_a": {"stem", "one", "two_b"},
        "two_b": {"stem", "one", "two_a", "pool"},
        "pool": {"stem", "one", "two_b"},
    }
    # At point 4: stem, one, two_b, pool.
    assert pressure == 100 + 10 + 30 + 40


def test_mixed_loops():
    g = Graph()
    a = g.call("a", [g.input("x", 1)], 8, scratch=10, parallel=6)
    b = g.call("b", [a], 8, scratch=10)
    g.result(g.call("y", [b], 1))
    buffers, pressure = info(g.module())
    # Six turns of the parallel loop live at once, beside the result that they fill.
    assert buffers["make_a/own"].bytes == 60
    assert buffers["make_b/own"].bytes == 10
    assert conflicts(buffers) == {
        "a": {"b", "make_a/own", "make_b/own"},
        "b": {"a", "make_b/own"},
        "make_a/own": {"a"},
        "make_b/own": {"a", "b"},
    }
    assert pressure == 68
    serial, pressure = info(g.module(), ConvertForLoopsToSerial())
    assert serial["make_a/own"].bytes == 10
    assert pressure == 26


def test_one_function_called_twice():
    g = Graph()
    a = g.call("a", [g.input("x", 4)], 4, kernel_name="same", scratch=64)
    b = g.call("b", [a], 4)
    c = g.call("c", [b], 4, kernel_name="same")
    g.result(g.call("y", [c], 1))
    buffers, _ = info(g.module())
    assert buffers["same/own"].live == ((0, 0), (2, 2))
    # It does not live at point 1, where a and b do, but at 0 with a and at 2 with b and c.
    assert conflicts(buffers)["same/own"] == {"a", "b", "c"}


def test_constants_conflict_by_nature():
    g = Graph()
    mid = g.call("mid", [g.input("x", 1), g.constant("v", 2)], 3)
    g.result(g.call("y", [mid, g.constant("w", 2)], 1))
    buffers, pressure = info(g.module())
    assert {n: b.kind for n, b in buffers.items()} == {
        "mid": PoolKind.WORKSPACE,
        "v": PoolKind.CONSTANT,
        "w": PoolKind.CONSTANT,
    }
    assert conflicts(buffers) == {"mid": set(), "v": set(), "w": set()}
    assert pressure == 3
