"""Regions and pools are read, and those that cannot be are named with their line."""

from __future__ import annotations

import pytest

from aot.boards.board import BoardPool, Memory, MemoryDriver, Pin, Region
from aot.boards.errors import BoardFileError
from aot.ir.pools import PoolKind

from .conftest import TINY, LoadText


def test_reads_regions_and_their_uses(load_text: LoadText) -> None:
    assert load_text(TINY).memory == Memory(
        regions=(
            Region("flash", 0x08000000, 65536, "rx", cacheable=True, dma=True),
            Region("fast", 0x10000000, 4096, "rw", cacheable=False, dma=False),
            Region("ram", 0x20000000, 16384, "rw", cacheable=False, dma=True),
        ),
        code="flash",
        data="ram",
        stack="fast",
        external=None,
    )


EXTERNAL = (
    "  stack: fast\n  external: {driver: nor, region: flash, pins: [{pin: PB2, function: 9}]}"
)


def test_reads_external_memory(load_text: LoadText) -> None:
    text = TINY.replace("  stack: fast", EXTERNAL)
    assert load_text(text).memory.external == MemoryDriver("nor", "flash", (Pin(1, 2, 9),))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("driver: nor", "driver: rno", "21: memory.external.driver: unknown memory driver 'rno'"),
        ("region: flash, pins", "region: fash, pins", "21: memory.external.region: unknown region"),
        ("pin: PB2", "pin: B2", "21: memory.external.pins[0].pin: must be a pin such as PA9"),
    ],
)
def test_names_what_is_wrong_with_external_memory(
    load_text: LoadText, old: str, new: str, message: str
) -> None:
    text = TINY.replace("  stack: fast", EXTERNAL.replace(old, new))
    with pytest.raises(BoardFileError) as caught:
        load_text(text)
    assert str(caught.value).partition("tiny.yaml:")[2].startswith(message)


def test_reads_pools_in_order(load_text: LoadText) -> None:
    assert load_text(TINY).pools == (
        BoardPool("fast", "fast", PoolKind.WORKSPACE, None, 8, None, None, 1.0, None),
        BoardPool("main", "ram", PoolKind.WORKSPACE, 8192, 16, 2.5, None, None, None),
        BoardPool("weights", "flash", PoolKind.CONSTANT, None, 16, None, None, None, None),
    )


def test_a_region_may_end_with_the_address_space(load_text: LoadText) -> None:
    text = TINY.replace("origin: 0x10000000, size: 4K", "origin: 0xFFFFF000, size: 4K")
    assert load_text(text).memory.region("fast").end == 1 << 32


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "origin: 0x10000000, size: 4K",
            "origin: 0x0800FFFF, size: 4K",
            "16: memory.regions[1]: region 'fast' overlaps region 'flash'",
        ),
        (
            "origin: 0x10000000, size: 4K",
            "origin: 0x20000000, size: 64",
            "17: memory.regions[2]: region 'ram' overlaps region 'fast'",
        ),
        (
            "origin: 0x10000000, size: 4K",
            "origin: 0xFFFFF000, size: 8K",
            "16: memory.regions[1].size: ends at 0x100001000, beyond 32 bit addresses",
        ),
        ("size: 4K", "size: 0", "16: memory.regions[1].size: must be in 1 to"),
        (
            "name: fast, origin",
            "name: ram, origin",
            "17: memory.regions[2]: 'ram' is listed twice",
        ),
        ("dma: false", "dma: flase", "16: memory.regions[1].dma: unknown value 'flase'"),
        (
            "code: flash",
            "code: flsh",
            "18: memory.code: unknown region 'flsh'; did you mean 'flash'? valid: flash, fast, ram",
        ),
        ("code: flash", "code: ram", "18: memory.code: region 'ram' must have access rx"),
        ("data: ram", "data: flash", "19: memory.data: region 'flash' must have access rw"),
        ("stack: fast\n", "stack: flash\n", "20: memory.stack: region 'flash' must have access rw"),
        (
            "stack_bytes: 1K",
            "stack_bytes: 5K",
            "20: memory.stack: region 'fast' has 4096 bytes, stack_bytes asks for 5120",
        ),
        (
            "stack_bytes: 1K",
            "stack_bytes: 4K",
            "22: pools[0]: region 'fast' has room for 0 bytes",
        ),
        (
            "region: ram, kind",
            "region: rom, kind",
            "23: pools[1].region: unknown region 'rom'; did you mean 'ram'?",
        ),
        (
            "region: ram, kind",
            "region: flash, kind",
            "23: pools[1].region: a workspace pool cannot be in read-only region 'flash'",
        ),
        (
            "size_limit: 8K",
            "size_limit: 17K",
            "23: pools[1].size_limit: region 'ram' has room for 16384 bytes",
        ),
        (
            "name: main, region: ram, kind: workspace, size_limit: 8K",
            "name: main, region: fast, kind: workspace, size_limit: 3073",
            "23: pools[1].size_limit: region 'fast' has room for 3072 bytes",
        ),
        ("alignment: 8", "alignment: 12", "22: pools[0].alignment: must be a power of two, not 12"),
        ("alignment: 8", "alignment: 8K", "22: pools[0].alignment: must be in 1 to 4096"),
        (
            "kind: constant",
            "kind: constants",
            "24: pools[2].kind: unknown pool kind 'constants'; did you mean 'constant'?",
        ),
        ("name: weights", "name: main", "24: pools[2]: 'main' is listed twice"),
        ("read_latency: 1", "read_latency: fast", "22: pools[0].read_latency: must be a number"),
        ("read_latency: 1", "read_latncy: 1", "22: pools[0]: unknown key 'read_latncy'; did you"),
    ],
)
def test_names_line_and_key_of_what_is_wrong(
    load_text: LoadText, old: str, new: str, message: str
) -> None:
    assert TINY.count(old) == 1
    with pytest.raises(BoardFileError) as caught:
        load_text(TINY.replace(old, new))
    assert str(caught.value).partition("tiny.yaml:")[2].startswith(message)
