"""Programs that stand in for tools."""

from __future__ import annotations

import stat
from pathlib import Path


def script(path: Path, body: str) -> Path:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path
