"""AnnotateUsedMemory: workspace live at each call, and bytes of the interface."""

from __future__ import annotations

from aot.ir.tir import Invoke
from aot.ir.types import DType
from aot.passes.annotate_used_memory import AnnotateUsedMemory
from aot.passes.aot_lower_main import AOTLowerMain
from tests.passes.modules import Graph, chain, run


def live(module):
    module = run(module, AOTLowerMain(), AnnotateUsedMemory())
    main = module.main
    return [s.live_bytes for s in main.body.body if isinstance(s, Invoke)], main.io_bytes


def test_linear_chain():
    # t0 (10) alone, t0 and t1 (20), t1 and t2 (40), t2 alone.
    assert live(chain([5, 10, 20, 40, 7])) == ([10, 30, 60, 40], 12)


def test_mixed_dtypes_count_bytes():
    g = Graph()
    x = g.input("x", 3, DType.FLOAT32)
    mid = g.call("mid", [x], 5, dtype=DType.FLOAT32)
    g.result(g.call("y", [mid], 2, dtype=DType.FLOAT32))
    assert live(g.module()) == ([20, 20], 4 * (3 + 2))


def test_parallel_branches():
    g = Graph()
    x = g.input("x", 1)
    left, right = g.call("left", [x], 10), g.call("right", [x], 20)
    g.result(g.call("y", [left, right], 1))
    assert live(g.module()) == ([10, 30, 30], 2)


def test_nested_branches():
    g = Graph()
    a = g.call("a", [g.input("x", 1)], 10)
    b = g.call("b", [a], 20)
    c, d = g.call("c", [b], 5), g.call("d", [b], 7)
    e = g.call("e", [c, d], 3)
    g.result(g.call("y", [a, e], 1))
    # a lives to the end: a, a+b, a+b+c, a+b+c+d, a+c+d+e, a+e.
    assert live(g.module())[0] == [10, 30, 35, 42, 25, 13]


def test_a_kernels_own_memory_counts_during_its_call():
    g = Graph()
    mid = g.call("mid", [g.input("x", 1)], 10, scratch=100)
    g.result(g.call("y", [mid], 1))
    assert live(g.module())[0] == [110, 10]


def test_one_function_called_twice():
    g = Graph()
    a = g.call("a", [g.input("x", 4)], 4, kernel_name="same", scratch=50)
    b = g.call("b", [a], 4, kernel_name="same")
    g.result(g.call("y", [b], 1))
    assert live(g.module())[0] == [54, 58, 4]


def test_a_parallel_loop_needs_one_instance_per_turn():
    g = Graph()
    g.result(g.call("y", [g.input("x", 1)], 1, scratch=10, parallel=6))
    assert live(g.module())[0] == [60]
