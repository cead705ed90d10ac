"""Finds a planning algorithm by name."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from aot.errors import MicroaotError
from aot.planners.base import Planner
from aot.planners.branch_and_bound import BranchAndBound
from aot.planners.greedy_by_conflicts import GreedyByConflicts
from aot.planners.greedy_by_size import GreedyBySize
from aot.planners.hill_climb import HillClimb

PLANNERS: tuple[Planner, ...] = (
    BranchAndBound(),
    GreedyByConflicts(),
    GreedyBySize(),
    HillClimb(),
)


class UnknownPlannerError(MicroaotError):
    """A name that no algorithm has."""


def planner(name: str, custom: Sequence[Planner] = ()) -> Planner:
    """The algorithm called ``name``, a ``custom`` one before our own."""
    known = {p.name: p for p in (*PLANNERS, *custom)}
    if name in known:
        return known[name]
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean `{close[0]}`? " if close else ""
    raise UnknownPlannerError(
        f"there is no planner `{name}`", remedy=f"{hint}known are {', '.join(sorted(known))}"
    )
