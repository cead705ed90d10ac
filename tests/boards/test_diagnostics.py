"""What compiler and linker print becomes one named error."""

from __future__ import annotations

from pathlib import Path

import pytest

from aot.boards.board import Board
from aot.boards.diagnostics import compile_error, link_error
from aot.boards.errors import LinkError, RegionOverflowError

# As GNU ld 2.40 prints it.
OVERFLOW = """\
/usr/bin/ld: firmware.elf section `.pool_main' will not fit in region `ram'
/usr/bin/ld: firmware.elf section `.stack' will not fit in region `fast'
/usr/bin/ld: region `ram' overflowed by 1 byte
/usr/bin/ld: region `fast' overflowed by 1040 bytes
collect2: error: ld returned 1 exit status
"""


def test_an_overflow_names_region_need_and_limit(tiny: Board) -> None:
    error = link_error(tiny, OVERFLOW)
    assert isinstance(error, RegionOverflowError)
    assert [(o.region, o.need, o.limit) for o in error.overflows] == [
        ("fast", 4096 + 1040, 4096),
        ("ram", 16384 + 1, 16384),
    ]
    assert str(error) == (
        "board tiny: region 'fast' needs 5136 bytes and has 4096 (1040 over) for stack and pool "
        "`fast`, region 'ram' needs 16385 bytes and has 16384 (1 over) for static data (interface "
        "tensors among them) and pool `main`; put the interface tensors into the pools "
        "(--io-in-pools, IO_IN_POOLS=1), or use a smaller model"
    )


def test_pools_elsewhere_are_the_remedy_where_there_are_some(tiny: Board) -> None:
    error = link_error(tiny, OVERFLOW.replace("region `fast' overflowed", "region `x' overflowed"))
    assert str(error).endswith(
        "; lower the limit of pool `main` (--pool, POOLS= or size_limit) so that buffers go to "
        "`fast`, or put the interface tensors into the pools (--io-in-pools, IO_IN_POOLS=1), or "
        "use a smaller model"
    )


def test_flash_that_overflows_needs_a_smaller_model(tiny: Board) -> None:
    error = link_error(tiny, "region `flash' overflowed by 5 bytes\n")
    assert str(error) == (
        "board tiny: region 'flash' needs 65541 bytes and has 65536 (5 over) for code and pool "
        "`weights`; use a smaller model"
    )


def test_another_failure_is_told_as_the_linker_tells_it(tiny: Board) -> None:
    error = link_error(tiny, "a.o: undefined reference to `kws_run'\n")
    assert type(error) is LinkError
    assert str(error) == "board tiny: a.o: undefined reference to `kws_run'"


@pytest.mark.parametrize(
    ("stderr", "why"),
    [
        ("a.c:1:1: error: expected ';'\n", "a.c:1:1: error: expected ';'"),
        ("", "it failed without a message"),
        ("\n".join("x" * 20), "\n".join("x" * 12) + "\n... 8 more lines"),
    ],
)
def test_a_compile_error_is_kept_short(stderr: str, why: str) -> None:
    assert str(compile_error(Path("a.c"), stderr)) == f"compiling a.c: {why}"
