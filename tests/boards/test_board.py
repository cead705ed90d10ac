"""A board gives the planner its pools and has a digest of its own."""

from __future__ import annotations

import dataclasses

from aot.boards.board import Board
from aot.ir.pools import Pool, PoolKind

from .conftest import TINY, LoadText


def test_pools_leave_room_for_the_stack_and_name_their_sections(tiny: Board) -> None:
    assert tiny.ir_pools() == (
        Pool(
            "fast",
            PoolKind.WORKSPACE,
            size_limit=4096 - 1024,
            alignment=8,
            section=".pool_fast",
            read_latency=1.0,
        ),
        Pool("main", PoolKind.WORKSPACE, 8192, section=".pool_main", read_bandwidth=2.5),
        Pool("weights", PoolKind.CONSTANT, 65536, read_only=True, section=".rodata.pool_weights"),
    )


def test_constants_in_ram_are_not_read_only(load_text: LoadText) -> None:
    pools = load_text(TINY.replace("region: flash, kind", "region: ram, kind")).ir_pools()
    assert (pools[2].read_only, pools[2].section) == (False, ".pool_weights")


def test_the_host_places_pools_itself(native: Board) -> None:
    (pool,) = native.ir_pools()
    assert (pool.section, pool.size_limit) == ("", (1 << 20) - 65536)


def test_the_digest_tells_any_field_apart(tiny: Board, load_text: LoadText) -> None:
    assert len(tiny.digest()) == 64
    assert load_text(TINY).digest() == tiny.digest()
    assert load_text(f"# a comment\n{TINY}").digest() == tiny.digest()
    changed = [
        dataclasses.replace(tiny, stack_bytes=2048),
        dataclasses.replace(tiny, cflags=()),
        dataclasses.replace(tiny, pools=tiny.pools[::-1]),
        dataclasses.replace(tiny, clock=dataclasses.replace(tiny.clock, hz=1)),
        load_text(
            TINY.replace("kind: constant", "kind: workspace").replace(
                "region: flash", "region: ram"
            )
        ),
    ]
    digests = {board.digest() for board in changed}
    assert len(digests) == len(changed)
    assert tiny.digest() not in digests
