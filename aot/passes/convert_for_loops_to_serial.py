"""ConvertForLoopsToSerial: parallel loops become serial, for cores that run one thread."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from aot.ir.module import IRModule
from aot.ir.tir import For, ForKind, PrimFunc, Stmt
from aot.ir.visitor import rewrite
from aot.passes.base import ModulePass


@dataclass(frozen=True)
class ConvertForLoopsToSerial(ModulePass):
    """Leaves every other kind of loop alone."""

    name: ClassVar[str] = "ConvertForLoopsToSerial"

    def run(self, module: IRModule) -> IRModule:
        return replace(
            module,
            functions=tuple(_serial(f) if isinstance(f, PrimFunc) else f for f in module.functions),
        )


def _serial(function: PrimFunc) -> PrimFunc:
    body = rewrite(function.body, _convert)
    return function if body is function.body else replace(function, body=body)


def _convert(s: Stmt) -> Stmt:
    if isinstance(s, For) and s.kind is ForKind.PARALLEL:
        return replace(s, kind=ForKind.SERIAL)
    return s
