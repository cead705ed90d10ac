"""The screen fits 80 columns, and a full memory stands out."""

from __future__ import annotations

import re

import pytest

from aot.report.schema import Memory, PoolNeed, Region, Section, Stack
from aot.report.screen import memory_screen

MEMORY = Memory(
    18108,
    12484,
    (Region("flash", "rx", 18108, 1 << 20), Region("dtcm", "rw", 11264, 1 << 16)),
    (
        PoolNeed("dtcm", "workspace", "dtcm", ".pool_dtcm", 3072, 57344),
        PoolNeed("loose", "workspace", "", "", 77, None),
    ),
    Stack("dtcm", 8192),
    (Section(".text", 0, 1, None),),
)


def test_regions_hold_their_pools_and_the_stack():
    lines = memory_screen("b1", MEMORY).splitlines()
    assert lines[0] == "b1: flash 18,108 bytes, RAM 12,484 bytes, stack included"
    names = [re.match(r" +(?:pool )?\S+", line)[0].strip() for line in lines[1:]]
    assert names == ["flash", "dtcm", "stack", "pool dtcm", "pool loose"]
    assert "8,192 of    65,536  12.5 %" in lines[3]
    assert "3,072 of    57,344   5.4 %" in lines[4]
    assert lines[5].endswith(" 77")


@pytest.mark.parametrize(
    ("used", "mark", "bar"), [(900, False, 27), (901, True, 27), (1000, True, 30), (0, False, 0)]
)
def test_more_than_nine_tenths_is_marked(used, mark, bar):
    memory = Memory(0, 0, (Region("ram", "rw", used, 1000),), (), Stack("", 0), ())
    line = memory_screen("b", memory).splitlines()[1]
    assert line.endswith("| !") is mark
    assert line.count("#") == bar


def test_eighty_columns_whatever_the_figures():
    big = (1 << 32) - 1
    regions = tuple(Region("r" * n, "rw", big, big) for n in (1, 12, 40))
    pools = tuple(PoolNeed("p" * 60, "workspace", r.name, "", big, big) for r in regions)
    text = memory_screen("b", Memory(big, big, regions, pools, Stack("r", big), ()))
    assert max(len(line) for line in text.splitlines()) == 80
    assert "4,294,967,295 of 4,294,967,295 100.0 %" in text


def test_nothing_to_show():
    assert memory_screen("host", Memory(5, 6, (), (), Stack("", 0), ())) == (
        "host: flash 5 bytes, RAM 6 bytes\n"
    )
