"""A board's pools as a user reshapes them for one model."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import replace

from aot.errors import MicroaotError
from aot.ir.pools import Pool, PoolKind
from aot.passes.usmp.assign_pool_info import PlacementRule

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20}


class PoolOptionError(MicroaotError):
    """A choice of pools that makes no sense for the board."""


def pools_of(
    pools: tuple[Pool, ...], wanted: Sequence[str], constants: str | None
) -> tuple[Pool, ...]:
    """The board's ``pools`` reshaped: only the ``wanted`` workspace pools, each NAME or NAME=LIMIT,
    in that order; the workspace pool ``constants`` first for constants.

    Raises PoolOptionError.
    """
    workspace = [p for p in pools if p.kind is PoolKind.WORKSPACE]
    others = [p for p in pools if p.kind is PoolKind.CONSTANT]
    by_name = {p.name: p for p in workspace}
    chosen = [_limited(text, by_name) for text in wanted] if wanted else workspace
    if constants is not None:
        home = _known(constants, by_name, "constants")
        others.insert(0, replace(home, name=f"{home.name}_constants", kind=PoolKind.CONSTANT))
    return (*chosen, *others)


def _limited(text: str, pools: dict[str, Pool]) -> Pool:
    name, _, limit = text.partition("=")
    pool = _known(name, pools, f"pool {text}")
    if not limit:
        return pool
    match = re.fullmatch(r"([0-9]+)([KM]?)B?", limit)
    if match is None:
        raise PoolOptionError(
            f"`{limit}` is no size", where=f"pool {text}", remedy="write 4096, 64K or 1M"
        )
    size = int(match[1]) * _UNITS[match[2]]
    if pool.size_limit is not None and size > pool.size_limit:
        raise PoolOptionError(
            f"{size} bytes exceed the {pool.size_limit} that the board gives the pool",
            where=f"pool {text}",
            remedy="choose a lower limit",
        )
    return replace(pool, size_limit=size)


def _known(name: str, pools: dict[str, Pool], where: str) -> Pool:
    if name in pools:
        return pools[name]
    close = difflib.get_close_matches(name, pools, n=1)
    hint = f"did you mean `{close[0]}`? " if close else ""
    raise PoolOptionError(
        f"the board has no workspace pool `{name}`",
        where=where,
        remedy=f"{hint}it has {', '.join(pools)}",
    )


def placement_rule(text: str) -> PlacementRule:
    """The rule in ``PATTERN=POOL[+POOL]``. Raises PoolOptionError."""
    pattern, separator, pools = text.partition("=")
    if not pattern or not separator or not pools:
        raise PoolOptionError(
            "names no buffers and pools", where=f"place {text}", remedy="write PATTERN=POOL"
        )
    return PlacementRule(pattern, tuple(pools.split("+")))
