"""What code generation refuses."""

from __future__ import annotations

from aot.errors import MicroaotError


class NotPrintableError(MicroaotError):
    """An expression or statement that a pass should have rewritten before code generation."""


class DuplicateModelError(MicroaotError):
    """Two models of one firmware whose generated names are the same."""
