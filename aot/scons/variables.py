"""The variables of the command line: BOARD=, MODEL=, LAB=, and what else our SConstruct knows."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from aot.boards.loader import load_board
from aot.boards.yaml_reader import suggestion
from aot.errors import MicroaotError
from aot.hil.lab import LabEntry, read_lab, single
from aot.scons.model import Placing

KNOWN = {
    "BOARD": "board name or alias (default: host)",
    "BOARDS": "folder of further board files",
    "MODEL": ".tflite file, or several separated by commas (default: the example)",
    "VECTORS": ".npz file per model, separated by commas (default: beside the model)",
    "PLANNER": "memory planning algorithm",
    "IO_IN_POOLS": "1: input and output tensors inside the pools",
    "POOLS": "workspace pools to use, in this order: NAME[=LIMIT],...",
    "CONSTANTS": "RAM pool that weights are copied to at start, as far as it goes",
    "PLACE": "pools for buffers whose names match: PATTERN=POOL[+POOL],...",
    "PORT": "serial port of a real board, or a URL such as socket://host:port (default: found)",
    "PROBE": "serial number of the board's debug probe",
    "RUNNER": "what programs or starts the board, of those in its file (default: as it says)",
    "LAB": "lab file, a hardware map of twister: `test` runs all its connected boards at once",
    "MLPERF": "id of MLPerf Tiny for which the model stands: ad01, ic01, kws01, vww01",
}


class UnknownVariableError(MicroaotError):
    """A variable that nothing reads."""


class BoardChoiceError(MicroaotError):
    """BOARD=, RUNNER= and LAB= that do not go together."""


class ModelListError(MicroaotError):
    """MODEL= and VECTORS= that do not fit each other."""


@dataclass(frozen=True)
class Settings:
    """What the variables ask for; ``models`` pairs each model with its vectors, and ``is_lab``
    tells whether ``entries``, the boards, come from a lab file."""

    entries: tuple[LabEntry, ...]
    is_lab: bool
    models: tuple[tuple[Path, Path], ...]
    placing: Placing
    benchmark: str | None


def read_settings(arguments: Mapping[str, str], example: Path) -> Settings:
    """The settings of ``arguments``; ``example`` is the model where MODEL= is missing.

    Raises UnknownVariableError with the nearest name, BoardChoiceError, ModelListError, or what
    loading the boards raises.
    """
    for name in arguments:
        if name not in KNOWN:
            close = difflib.get_close_matches(name, KNOWN, n=1)
            hint = f"did you mean {close[0]}=? " if close else ""
            raise UnknownVariableError(
                f"unknown variable {name}=", remedy=f"{hint}known are {', '.join(KNOWN)}"
            )
    models = [Path(m) for m in _words(arguments, "MODEL")] or [example]
    given = [Path(v) for v in _words(arguments, "VECTORS")]
    vectors = given or [m.with_suffix(".npz") for m in models]
    if not models or len(vectors) != len(models):
        raise ModelListError(
            f"{len(models)} models and {len(vectors)} files of vectors",
            remedy="name one file of vectors per model, separated by commas",
        )
    for model in models:
        if not model.is_file():
            raise ModelListError("there is no such model", where=f"MODEL={model}")
    return Settings(
        _entries(arguments),
        "LAB" in arguments,
        tuple(zip(models, vectors, strict=True)),
        Placing(
            arguments.get("PLANNER"),
            arguments.get("IO_IN_POOLS", "0") not in ("0", ""),
            _words(arguments, "POOLS"),
            arguments.get("CONSTANTS"),
            _words(arguments, "PLACE"),
        ),
        arguments.get("MLPERF"),
    )


def _words(arguments: Mapping[str, str], name: str) -> tuple[str, ...]:
    return tuple(word for word in arguments.get(name, "").split(",") if word)


def _entries(arguments: Mapping[str, str]) -> tuple[LabEntry, ...]:
    search = [Path(arguments["BOARDS"])] if "BOARDS" in arguments else []
    if "LAB" in arguments:
        for name in ("BOARD", "PORT", "PROBE", "RUNNER"):
            if name in arguments:
                raise BoardChoiceError(
                    f"LAB= names the boards itself, and {name}= is given too",
                    remedy="leave one of them out",
                )
        return read_lab(Path(arguments["LAB"]), search)
    board = load_board(arguments.get("BOARD", "host"), search)
    runner = arguments.get("RUNNER")
    known = [r.name for r in board.runners.entries]
    if runner is not None and runner not in known:
        raise BoardChoiceError(
            f"board {board.name} has no runner {runner!r}",
            where="RUNNER=",
            remedy=suggestion(runner, known),
        )
    return (single(board, arguments.get("PROBE"), arguments.get("PORT"), runner),)
