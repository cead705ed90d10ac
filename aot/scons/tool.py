"""What the tool `aot` adds to a construction environment."""

from __future__ import annotations

from typing import Any

from aot.scons.model import MODEL_BUILDER, aot_model


def generate(env: Any) -> None:
    """Adds env.AotModel(name, model, BOARD=..., PLANNER=..., IO_IN_POOLS=...)."""
    env["BUILDERS"]["AotModelFiles"] = MODEL_BUILDER
    env.AddMethod(aot_model, "AotModel")


def exists(env: Any) -> bool:
    """The tool needs nothing but this package."""
    return True
