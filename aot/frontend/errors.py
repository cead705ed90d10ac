"""Why a file cannot be read as a model."""

from __future__ import annotations

from aot.errors import MicroaotError


class MalformedModelError(MicroaotError):
    """The file breaks the format's own rules: no interpreter could run it safely."""

    def __init__(self, why: str, *, where: str = "") -> None:
        super().__init__(why, where=where, remedy="export the model again")


class UnsupportedModelError(MicroaotError):
    """The file is sound, but asks for what microaot does not have; ``problems`` lists all of
    it, one line each."""

    def __init__(self, problems: tuple[str, ...], *, where: str = "") -> None:
        self.problems = problems
        count = "1 thing" if len(problems) == 1 else f"{len(problems)} things"
        listed = "".join(f"\n  {p}" for p in problems)
        super().__init__(
            f"{count} not supported:{listed}\n`microaot ops` lists what is supported", where=where
        )
