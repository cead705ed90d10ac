"""A digest of the compiler itself, for SCons knows an action's code but not what it imports."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path


@cache
def compiler_digest() -> str:
    """SHA-256 over the package's own sources by name and content, 64 hex digits."""
    package = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(path.relative_to(package).as_posix().encode() + b"\n")
        digest.update(path.read_bytes())
    return digest.hexdigest()
