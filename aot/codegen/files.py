"""Generated files, and how they reach the disk: all of them or none."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from aot.errors import MicroaotError


class OutputError(MicroaotError):
    """A folder that cannot be written."""


@dataclass(frozen=True)
class GeneratedFile:
    """A file's name and its text, with ``\\n`` line ends."""

    name: str
    text: str


def write_files(files: Iterable[GeneratedFile], folder: Path) -> tuple[Path, ...]:
    """Replaces the files in ``folder``, which is made where it is missing.

    Every file is written beside its place first, so that a failure leaves the old ones. A file
    whose text is there already is not touched.
    """
    files = tuple(files)
    staged: list[tuple[str, Path]] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            path, content = folder / file.name, file.text.encode()
            if path.is_dir():
                raise OutputError(
                    "a folder has the name of a file to write",
                    where=str(path),
                    remedy="remove it or choose another output folder",
                )
            if path.is_file() and path.read_bytes() == content:
                continue
            handle, temporary = tempfile.mkstemp(prefix=f".{file.name}.", dir=folder)
            staged.append((temporary, path))
            with os.fdopen(handle, "wb") as out:
                out.write(content)
            os.chmod(temporary, 0o644)
        for temporary, path in staged:
            os.replace(temporary, path)
    except OSError as error:
        raise OutputError(
            f"cannot write: {error.strerror}",
            where=str(folder),
            remedy="choose a folder that exists or can be made, with room on its disk",
        ) from error
    finally:
        for temporary, _ in staged:
            with suppress(FileNotFoundError):
                os.unlink(temporary)
    return tuple(folder / file.name for file in files)
