"""What a target is to the compiler: intrinsics, strategies and passes of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

from aot.ir.graph import Call
from aot.ir.intrinsics import IntrinsicDefinition, IntrinsicSignature
from aot.ir.target import Target
from aot.ops.base import KernelOp
from aot.ops.kernel import KernelBuilder
from aot.passes.base import ModulePass


class Strategy(Protocol):
    """One way to lower calls; the first of a target's strategies that applies is used."""

    name: ClassVar[str]

    def applies(self, call: Call) -> bool:
        """Whether every precondition of the kernel holds for ``call``."""

    def lower(self, call: Call, k: KernelBuilder) -> None:
        """Emits the body of the kernel of ``call``."""


@dataclass(frozen=True)
class DefaultStrategy:
    """The operator's own loop nest, which serves every call."""

    name: ClassVar[str] = "loops"

    def applies(self, call: Call) -> bool:
        return isinstance(call.op, KernelOp)

    def lower(self, call: Call, k: KernelBuilder) -> None:
        assert isinstance(call.op, KernelOp), "applies() has been asked"
        call.op.lower(call, k)


@dataclass(frozen=True)
class TargetKind:
    """An instruction set: what it calls itself in the IR, and what it brings.

    ``strategies`` are tried in order; ``passes`` run on the lowered module.
    """

    target: Target
    intrinsics: tuple[IntrinsicDefinition, ...]
    strategies: tuple[Strategy, ...]
    passes: tuple[ModulePass, ...]

    @property
    def signatures(self) -> tuple[IntrinsicSignature, ...]:
        return tuple(d.signature for d in self.intrinsics)
