"""The rules that a module can break, one named error each."""

from __future__ import annotations

from aot.errors import MicroaotError


class VerificationError(MicroaotError):
    """A module that breaks a rule of its stage: a fault of the pass that made it."""


class DuplicateNameError(VerificationError):
    """Two functions, values, buffers or variables of one scope share a name."""


class EntryError(VerificationError):
    """The entry is missing or of the wrong level."""


class StageError(VerificationError):
    """Something that does not exist at the module's stage."""


class PlanError(VerificationError):
    """The memory plan is missing or exceeds its pools."""


class UndefinedError(VerificationError):
    """A value, buffer, variable or function is used where it is not defined."""


class ConstantDataError(VerificationError):
    """A constant's contents do not have the type of its value."""


class OperandTypeError(VerificationError):
    """Operands or results whose types do not fit what uses or makes them."""


class MutabilityError(VerificationError):
    """A write to what may not change: an input, a constant, a Let."""


class IntrinsicError(VerificationError):
    """An intrinsic that the target does not define, or not for these operands."""


class LoopError(VerificationError):
    """A loop whose step or bounds make no sense."""


class OutOfBoundsError(VerificationError):
    """A constant index beyond the end of its buffer."""


class RecursiveCallError(VerificationError):
    """A function that calls itself, directly or through others."""


class RoleError(VerificationError):
    """A buffer that is no pool or device where one belongs."""
