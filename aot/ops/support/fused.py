"""Operators of the schema whose options carry a fused activation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

from aot.ops.base import TfliteOp
from aot.ops.support.activation import Activation, combine

_Self = TypeVar("_Self", bound="FusedOp")


@dataclass(frozen=True, kw_only=True)
class FusedOp(TfliteOp):
    """A TfliteOp that clamps its result to ``activation``."""

    activation: Activation = Activation.NONE

    def with_activation(self: _Self, activation: Activation) -> _Self | None:
        combined = combine(self.activation, activation)
        return None if combined is None else replace(self, activation=combined)
