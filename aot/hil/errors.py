"""What can go wrong between the host and a board, one verdict each."""

from __future__ import annotations

from aot.errors import MicroaotError


class HilError(MicroaotError):
    """Any failure of a board, its console or its runner."""


class ProgramMissingError(HilError):
    """A program that the runner needs is not installed."""


class StartError(HilError):
    """The emulator or the native program did not start, or ended."""


class PortError(HilError):
    """The port is missing, busy, or vanished while in use."""


class NoAnswerError(HilError):
    """Nothing came back within the deadline."""


class GarbledAnswerError(HilError):
    """Something came back, but not a whole answer, or with a wrong checksum."""


class DeviceError(HilError):
    """The firmware refused a command or failed to carry it out."""


class BoardResetError(HilError):
    """The board started anew in the middle of an exchange."""


class WrongBoardError(HilError):
    """Another board answers."""


class WrongFirmwareError(HilError):
    """The right board answers with another build."""
