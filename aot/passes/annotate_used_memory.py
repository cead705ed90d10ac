"""AnnotateUsedMemory: how much workspace is live at each call, in a typed field."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from aot.analysis.used_memory import live_bytes_at_calls
from aot.ir.module import IRModule
from aot.ir.tir import Invoke, ParamRole, Stmt
from aot.ir.visitor import rewrite
from aot.passes.base import ModulePass


@dataclass(frozen=True)
class AnnotateUsedMemory(ModulePass):
    """Sets ``live_bytes`` on every call of main, and ``io_bytes`` on main."""

    name: ClassVar[str] = "AnnotateUsedMemory"

    def run(self, module: IRModule) -> IRModule:
        main = module.main
        live = iter(live_bytes_at_calls(module))

        def annotate(s: Stmt) -> Stmt:
            return replace(s, live_bytes=next(live)) if isinstance(s, Invoke) else s

        io = main.buffers(ParamRole.INPUT, ParamRole.OUTPUT)
        return module.with_function(
            replace(
                main,
                body=rewrite(main.body, annotate),
                io_bytes=sum(b.type.bytes for b in io),
            )
        )
