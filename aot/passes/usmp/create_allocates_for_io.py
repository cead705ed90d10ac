"""usmp.CreateAllocatesForIO: interface tensors move from main's parameters into the pools."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from aot.ir.module import IRModule
from aot.ir.tir import Allocate, Interface, ParamRole, Seq
from aot.passes.base import ModulePass


@dataclass(frozen=True)
class CreateAllocatesForIO(ModulePass):
    """Each INPUT and OUTPUT parameter of main becomes an Allocate that says whose it is."""

    name: ClassVar[str] = "usmp.CreateAllocatesForIO"
    alignment: int = 4

    def run(self, module: IRModule) -> IRModule:
        main = module.main
        io = [p for p in main.params if p.role in (ParamRole.INPUT, ParamRole.OUTPUT)]
        allocates = tuple(
            Allocate(
                p.buffer,
                max(self.alignment, p.buffer.dtype.bytes),
                io=Interface(p.role, p.name, p.tensor),
                origin=f"{p.role.value} {p.name}",
            )
            for p in io
        )
        return module.with_function(
            replace(
                main,
                params=tuple(p for p in main.params if p not in io),
                body=Seq((*allocates, *main.body.body)),
            )
        )
