"""Estimates of what a function costs before any compiler has seen it."""

from __future__ import annotations

from aot.ir.expr import Intrinsic, Load
from aot.ir.tir import For, Invoke, PrimFunc
from aot.ir.visitor import expressions, walk, walk_expr

# Thumb-2 bytes, fitted to GCC 12 at -O2 for Cortex-M4 over the kernels of the example model.
_FUNCTION, _LOOP, _NODE, _LOAD, _INTRINSIC, _CALL, _ARGUMENT = 24, 14, 2, 3, 40, 6, 4


def code_bytes(function: PrimFunc) -> int:
    """Machine code of ``function`` in bytes: an estimate, good to about a third."""
    total = _FUNCTION
    for statement in walk(function.body):
        if isinstance(statement, For):
            total += _LOOP
        elif isinstance(statement, Invoke):
            total += _CALL + _ARGUMENT * len(statement.args)
        for root in expressions(statement):
            for e in walk_expr(root):
                if isinstance(e, Intrinsic):
                    total += _INTRINSIC
                else:
                    total += _LOAD if isinstance(e, Load) else _NODE
    return total
