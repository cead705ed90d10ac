"""The root of every failure that a user can cause."""

from __future__ import annotations


class MicroaotError(Exception):
    """A failure with one message: where it happened, why, and what to change.

    The command line prints ``str(error)`` and exits with status 1; subclasses name the kind.
    """

    def __init__(self, why: str, *, where: str = "", remedy: str = "") -> None:
        self.why = why
        self.where = where
        self.remedy = remedy
        message = f"{where}: {why}" if where else why
        super().__init__(f"{message}; {remedy}" if remedy else message)
