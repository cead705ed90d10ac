"""How often the values of a graph are read."""

from __future__ import annotations

from collections import Counter

from aot.ir.graph import GraphFunction


def use_counts(graph: GraphFunction) -> Counter[str]:
    """Reads of every value by name; being a result counts as one."""
    counts = Counter(v.name for call in graph.calls for v in call.operands)
    counts.update(port.value.name for port in graph.results)
    return counts
