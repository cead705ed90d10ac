"""test.json: what a test on the board measured, as the report reads it.

The file is one object:

    {"board": "...", "build_id": "...",
     "models": [{"name": "...", "ticks": N, "hz": N, "stack_bytes": N, "pools": {"ram": N},
                 "operator_ticks": [N, ...]}]}

``ticks``, ``hz`` and ``stack_bytes`` are null where the model did not come to its end, and
``operator_ticks``, one number per operator, may be missing. Other keys are ignored.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

from aot.errors import MicroaotError
from aot.report.decode import decode
from aot.report.schema import Measurement, Model

RECORD_FILE = "test.json"


class MeasurementError(MicroaotError):
    """A record of a test that cannot be read."""


@dataclass(frozen=True)
class _Entry:
    """One model of a record."""

    name: str
    ticks: int | None
    hz: int | None
    stack_bytes: int | None
    pools: dict[str, int]
    operator_ticks: tuple[int, ...] | None = None


@dataclass(frozen=True)
class _Record:
    build_id: str
    models: tuple[_Entry, ...]


def measured(models: tuple[Model, ...], path: Path, build_id: str) -> tuple[Model, ...]:
    """``models`` with what the record at ``path`` says of them.

    They stay as they are where there is no record or it is of another build. Raises
    MeasurementError.
    """
    record = _read(path)
    if record is None or record.build_id != build_id:
        return models
    found = {m.name: m for m in record.models}
    return tuple(_with(m, found[m.name], path) if m.name in found else m for m in models)


def _read(path: Path) -> _Record | None:
    try:
        return decode(_Record, json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise MeasurementError(
            f"is no record of a test ({error})",
            where=str(path),
            remedy="remove it or run the test again",
        ) from error


def _with(model: Model, entry: _Entry, path: Path) -> Model:
    ticks = entry.operator_ticks
    if ticks is not None and len(ticks) != len(model.operators):
        raise MeasurementError(
            f"has ticks of {len(ticks)} operators where the model has {len(model.operators)}",
            where=f"{path}: {model.name}",
            remedy="remove it or run the test again",
        )
    if entry.ticks is None or entry.hz is None or entry.stack_bytes is None:
        return model
    figures = Measurement(entry.ticks, entry.hz, entry.stack_bytes, entry.pools, ticks)
    return replace(model, measured=figures)
