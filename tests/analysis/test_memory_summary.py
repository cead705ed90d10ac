"""The memory summary: workspace, interface and lower bound."""

from __future__ import annotations

from aot.analysis.memory_summary import memory_summary
from tests.analysis.planning import planned
from tests.passes.modules import chain


def test_memory_summary():
    summary = memory_summary(planned(chain([64, 16, 32])))
    # Busiest: input and t0 at the first call, 80; t0 and the output at the second, 48.
    assert (summary.workspace, summary.io, summary.io_outside, summary.lower_bound) == (
        *(16, 96, 96, 80),
    )
    inside = memory_summary(planned(chain([64, 16, 32]), io=True))
    assert (inside.workspace, inside.io, inside.io_outside, inside.lower_bound) == (80, 96, 0, 80)
