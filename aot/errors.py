"""The root of every failure that a user can cause."""

from __future__ import annotations


class MicroaotError(Exception):
    """A failure with one message: where it happened, why, and what to change.

    The command line prints ``str(error)`` and exits with status 1; subclasses name the kind.
    """

    def __init__(self, why: str, *, where: str = "", remedy: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.where = where
        self.remedy = remedy

    def __str__(self) -> str:
        message = f"{self.where}: {self.why}" if self.where else self.why
        return f"{message}; {self.remedy}" if self.remedy else message

    def within(self, place: str) -> None:
        """Puts the larger ``place`` (a file, a board) before where it happened."""
        self.where = f"{place}: {self.where}" if self.where else place
