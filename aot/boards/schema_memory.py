"""The part of the board file's schema that describes memory regions and pools."""

from __future__ import annotations

from pathlib import Path
from typing import cast, get_args

from aot.boards.board import Access, BoardPool, Memory, MemoryDriver, Region
from aot.boards.schema_parts import driver, pin
from aot.boards.yaml_reader import Value, optional, refuse_repeats
from aot.ir.pools import PoolKind

ADDRESS_SPACE = 1 << 32


def memory_from(value: Value, stack_bytes: int, firmware: Path) -> Memory:
    """The regions and their uses; ``stack_bytes`` must fit the stack's region, and drivers are
    those of the folder ``firmware``."""
    f = value.fields(("regions", "code", "data", "stack"), ("external",))
    items = f["regions"].items()
    regions = tuple(_region(v) for v in items)
    refuse_repeats(items, (r.name for r in regions))
    for i, region in enumerate(regions):
        for other in regions[:i]:
            if region.origin < other.end and other.origin < region.end:
                raise items[i].error(f"region {region.name!r} overlaps region {other.name!r}")
    memory = Memory(
        regions,
        code=_region_of(f["code"], regions, "rx"),
        data=_region_of(f["data"], regions, "rw"),
        stack=_region_of(f["stack"], regions, "rw"),
        external=optional(f, "external", lambda v: _external(v, regions, firmware), None),
    )
    stack = memory.region(memory.stack)
    if stack_bytes > stack.size:
        raise f["stack"].error(
            f"region {stack.name!r} has {stack.size} bytes, stack_bytes asks for {stack_bytes}"
        )
    return memory


def _external(value: Value, regions: tuple[Region, ...], firmware: Path) -> MemoryDriver:
    f = value.fields(("driver", "region", "pins"))
    region = f["region"].choice([r.name for r in regions], "region")
    return MemoryDriver(
        driver(f["driver"], firmware, "memory"), region, tuple(pin(v) for v in f["pins"].items())
    )


def _region(value: Value) -> Region:
    f = value.fields(("name", "origin", "size", "access"), ("cacheable", "dma"))
    region = Region(
        name=f["name"].identifier(),
        origin=f["origin"].integer(0, ADDRESS_SPACE - 1),
        size=f["size"].integer(1, ADDRESS_SPACE),
        access=cast(Access, f["access"].choice(get_args(Access), "access")),
        cacheable=optional(f, "cacheable", Value.flag, False),
        dma=optional(f, "dma", Value.flag, True),
    )
    if region.end > ADDRESS_SPACE:
        raise f["size"].error(f"ends at {region.end:#x}, beyond 32 bit addresses")
    return region


def _region_of(value: Value, regions: tuple[Region, ...], access: Access) -> str:
    name = value.choice([r.name for r in regions], "region")
    if not any(r.name == name and r.access == access for r in regions):
        raise value.error(f"region {name!r} must have access {access}")
    return name


def pools_from(value: Value, memory: Memory, stack_bytes: int) -> tuple[BoardPool, ...]:
    """The pools, in the file's order, each inside what the stack leaves of its region."""
    items = value.items()
    pools = tuple(_pool(v, memory, stack_bytes) for v in items)
    refuse_repeats(items, (p.name for p in pools))
    return pools


def _pool(value: Value, memory: Memory, stack_bytes: int) -> BoardPool:
    f = value.fields(
        ("name", "region", "kind"),
        (
            *("size_limit", "alignment", "read_bandwidth", "write_bandwidth"),
            *("read_latency", "write_latency"),
        ),
    )
    region = memory.region(f["region"].choice([r.name for r in memory.regions], "region"))
    kind = PoolKind(f["kind"].choice([k.value for k in PoolKind], "pool kind"))
    if kind is PoolKind.WORKSPACE and region.access == "rx":
        raise f["region"].error(f"a workspace pool cannot be in read-only region {region.name!r}")
    room = memory.room(region, stack_bytes)
    size_limit = optional(f, "size_limit", lambda v: v.integer(1, ADDRESS_SPACE), None)
    if room == 0 or (size_limit is not None and size_limit > room):
        raise f.get("size_limit", value).error(
            f"region {region.name!r} has room for {room} bytes beside the stack"
        )
    alignment = optional(f, "alignment", lambda v: v.integer(1, 4096), 16)
    if alignment & (alignment - 1):
        raise f["alignment"].error(f"must be a power of two, not {alignment}")
    return BoardPool(
        name=f["name"].identifier(),
        region=region.name,
        kind=kind,
        size_limit=size_limit,
        alignment=alignment,
        read_bandwidth=optional(f, "read_bandwidth", Value.positive, None),
        write_bandwidth=optional(f, "write_bandwidth", Value.positive, None),
        read_latency=optional(f, "read_latency", Value.positive, None),
        write_latency=optional(f, "write_latency", Value.positive, None),
    )
