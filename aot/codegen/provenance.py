"""Where generated code comes from: what its header comment and metadata repeat."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Provenance:
    """The compiler's version, the model's SHA-256 (64 hexadecimal digits) and file name, and the
    options that differ from run to run, in words."""

    version: str
    model_hash: str
    model_file: str
    options: tuple[str, ...]
