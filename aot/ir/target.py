"""What a module is compiled for: an instruction set, its features and device hooks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """An instruction set (``scalar``, ...) with features; ``devices`` name accelerators that
    want activate, open, close and deactivate hooks around their calls."""

    name: str
    features: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
