"""Function metadata: memory that every PrimFunc of a module needs, per target."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FunctionMetadata:
    """Bytes that one function needs of its own, on one target.

    ``workspace_bytes`` covers its allocations (the peak of what lives at once for main before
    planning, the pools used after), ``io_bytes`` its interface tensors, ``constant_bytes`` the
    constants it declares.
    """

    function: str
    target: str
    workspace_bytes: int
    io_bytes: int
    constant_bytes: int
