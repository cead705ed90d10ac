"""usmp.AssignPoolInfo: which pools every allocation may live in, best first."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass, replace
from typing import ClassVar

from aot.errors import MicroaotError
from aot.ir.module import IRModule
from aot.ir.pools import Pool, PoolKind
from aot.ir.tir import Allocate, AllocateConst, PrimFunc, Stmt
from aot.ir.visitor import rewrite
from aot.passes.base import ModulePass


class NoCandidatePoolError(MicroaotError):
    """An allocation for which the board has no pool of its kind and target."""


class UnknownPoolError(MicroaotError):
    """A placement rule that names a pool which the module does not have."""


@dataclass(frozen=True)
class PlacementRule:
    """Buffers whose name matches ``pattern`` (as in a shell) go to ``pools``, best first."""

    pattern: str
    pools: tuple[str, ...]


@dataclass(frozen=True)
class AssignPoolInfo(ModulePass):
    """Candidates are the module's pools of the allocation's kind that serve the function's
    target, in their order; the first of ``rules`` that matches a buffer narrows them."""

    name: ClassVar[str] = "usmp.AssignPoolInfo"
    rules: tuple[PlacementRule, ...] = ()

    def run(self, module: IRModule) -> IRModule:
        known = {p.name for p in module.pools}
        for rule in self.rules:
            for pool in rule.pools:
                if pool not in known:
                    raise UnknownPoolError(
                        f"there is no pool `{pool}`",
                        where=f"placement of `{rule.pattern}`",
                        remedy=f"the pools are {', '.join(sorted(known)) or 'none'}",
                    )
        return replace(
            module,
            functions=tuple(
                self._assign(f, module.pools) if isinstance(f, PrimFunc) else f
                for f in module.functions
            ),
        )

    def _assign(self, function: PrimFunc, pools: tuple[Pool, ...]) -> PrimFunc:
        def assign(s: Stmt) -> Stmt:
            if not isinstance(s, Allocate | AllocateConst):
                return s
            return replace(s, candidates=self._candidates(s, function, pools))

        return replace(function, body=rewrite(function.body, assign))

    def _candidates(
        self, s: Allocate | AllocateConst, function: PrimFunc, pools: tuple[Pool, ...]
    ) -> tuple[str, ...]:
        kind = PoolKind.CONSTANT if isinstance(s, AllocateConst) else PoolKind.WORKSPACE
        usable = [
            p.name
            for p in pools
            if p.kind is kind and (not p.targets or function.target.name in p.targets)
        ]
        rule = next((r for r in self.rules if fnmatch.fnmatch(s.buffer.name, r.pattern)), None)
        if rule is not None:
            usable = [name for name in rule.pools if name in usable]
        if not usable:
            raise NoCandidatePoolError(
                f"no {kind.value} pool takes `{s.buffer.name}` ({s.buffer.type.bytes} bytes)",
                where=f"function {function.name} for target {function.target.name}",
                remedy=f"give the board a {kind.value} pool",
            )
        return tuple(usable)
