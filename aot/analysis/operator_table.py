"""The operators of a planned module in execution order, with what each costs."""

from __future__ import annotations

from dataclasses import dataclass

from aot.analysis.cost import code_bytes
from aot.ir.module import IRModule
from aot.ir.tir import Invoke, ParamRole
from aot.ir.visitor import walk


@dataclass(frozen=True)
class OperatorRow:
    """One call of main.

    ``operator`` is the lowered operator, ``origin`` the model's own, ``shape`` the result's,
    ``weight_bytes`` the constants it reads, ``live_bytes`` the workspace live during the call
    (interface tensors only where they live in the pools); ``is_peak`` marks the first call
    where that is largest.
    """

    index: int
    operator: str
    origin: str
    kernel: str
    strategy: str
    shape: tuple[int, ...]
    macs: int
    weight_bytes: int
    live_bytes: int
    is_peak: bool


def operator_table(module: IRModule) -> tuple[OperatorRow, ...]:
    """One row per call of main, once AnnotateUsedMemory has run."""
    functions = {f.name: f for f in module.prim_funcs}
    calls = [s for s in walk(module.main.body) if isinstance(s, Invoke)]
    live = [call.live_bytes or 0 for call in calls]
    peak = live.index(max(live)) if live else -1
    rows = []
    for index, call in enumerate(calls):
        callee = functions[call.function]
        info = callee.info
        outputs = callee.buffers(ParamRole.OUTPUT)
        weights = sum(b.type.bytes for b in callee.buffers(ParamRole.CONSTANT))
        rows.append(
            OperatorRow(
                index,
                info.operator if info else call.function,
                call.origin,
                call.function,
                info.strategy if info else "",
                outputs[0].type.shape if outputs else (),
                info.macs if info else 0,
                weights,
                live[index],
                index == peak,
            )
        )
    return tuple(rows)


def code_estimate(module: IRModule) -> int:
    """Bytes of machine code of every function, roughly."""
    return sum(code_bytes(f) for f in module.prim_funcs)
