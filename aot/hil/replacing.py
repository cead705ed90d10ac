"""Writes a file that appears whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from aot.errors import MicroaotError


@contextmanager
def replacing(path: Path, failure: type[MicroaotError]) -> Iterator[IO[bytes]]:
    """Opens a file beside ``path`` and puts it in its place when the context ends well.

    Raises ``failure`` where the folder or the disk does not allow it.
    """
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as out:
            yield out
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        raise failure(
            f"cannot be written: {error.strerror}",
            where=str(path),
            remedy="name a file in a folder that exists",
        ) from error
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
