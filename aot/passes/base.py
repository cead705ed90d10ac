"""The shape of every pass."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from aot.ir.module import IRModule


@dataclass(frozen=True)
class ModulePass(ABC):
    """One responsibility, IRModule to IRModule; options are fields, the input stays as it was."""

    name: ClassVar[str]

    @abstractmethod
    def run(self, module: IRModule) -> IRModule:
        """The rewritten module."""
