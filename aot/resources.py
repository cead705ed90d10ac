"""Finds the data that travels with the package: board files and firmware sources."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from aot.errors import MicroaotError

DataKind = Literal["boards", "firmware"]


class MissingDataError(MicroaotError):
    """The installation lacks a folder that every installation carries."""


def data_dir(kind: DataKind) -> Path:
    """The folder of ``kind``: inside an installed package, else at the root of the source tree.

    Raises MissingDataError where neither exists.
    """
    package = Path(__file__).resolve().parent
    # Installed data comes first: beside an installed package, `boards` may belong to anybody.
    candidates = (package / "_data" / kind, package.parent / kind)
    for folder in candidates:
        if folder.is_dir():
            return folder
    raise MissingDataError(
        f"no folder {kind!r} in {' or '.join(str(c.parent) for c in candidates)}",
        where="microaot",
        remedy="install the package again",
    )
