"""Whether the programs of a runner are installed and new enough."""

from __future__ import annotations

import logging
import re
import shutil

from aot.hil.errors import ProgramMissingError
from aot.hil.process import run
from aot.hil.runners.base import Program
from aot.hil.runners.errors import ProgramTooOldError

_log = logging.getLogger(__name__)
_VERSION_SECONDS = 30.0


def check_program(program: Program, where: str) -> str:
    """The version of an installed program, empty where it does not tell.

    Raises ProgramMissingError or ProgramTooOldError, which say what to install.
    """
    if shutil.which(program.name) is None:
        raise ProgramMissingError(
            f"{program.name} is not installed", where=where, remedy=program.remedy
        )
    if program.ask is None:
        return ""
    answer = run([program.name, *program.ask], _VERSION_SECONDS)
    version = check_version(program, answer.output, where)
    if not version:
        _log.warning("%s does not tell its version, which may be too old", program.name)
    return version


def check_version(program: Program, text: str, where: str) -> str:
    """The version that ``text`` tells, empty where it does not. Raises ProgramTooOldError."""
    match = re.search(program.version, text)
    if match is None:
        return ""
    if tuple(int(part) for part in match[1].split(".")) < program.oldest:
        oldest = ".".join(map(str, program.oldest))
        raise ProgramTooOldError(
            f"{program.name} {match[1]} is older than {oldest}", where=where, remedy=program.remedy
        )
    return match[1]
