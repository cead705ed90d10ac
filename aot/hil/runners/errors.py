"""What can go wrong between the host and a board's memory, one verdict each."""

from __future__ import annotations

from aot.hil.errors import HilError


class RunnerError(HilError):
    """A board has no such runner."""


class NoRunnerError(RunnerError):
    """A board whose runner does not bring it to life."""


class ProbeError(HilError):
    """A serial number that is none, or a runner that cannot choose by it."""


class ProgramTooOldError(HilError):
    """A program of a runner is older than the oldest that serves."""


class FlashError(HilError):
    """The board was not programmed."""


class ImageError(FlashError):
    """There is no image that the runner could write."""


class FlashHangsError(FlashError):
    """The program did not end within its deadline."""


class FlashFloodsError(FlashError):
    """The program printed without end."""


class FlashFailedError(FlashError):
    """The program ended with a status that means failure."""


class FlashContradictedError(FlashError):
    """The program ended as if it had succeeded, but printed a failure."""


class FlashUnprovenError(FlashError):
    """The program ended as if it had succeeded, but did not say so."""


class DriveError(FlashError):
    """The drive of a UF2 boot loader is missing, or there are several."""
