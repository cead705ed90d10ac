"""Thousands of exchanges over a line that loses or changes one byte in a thousand."""

from __future__ import annotations

import os
import random
from itertools import cycle, pairwise

import pytest

from aot.hil.session import Session
from tests.hil.conftest import Example
from tests.hil.faulty_line import FaultyLine

# The whole soak is MICROAOT_SOAK=20000.
EXCHANGES = int(os.environ.get("MICROAOT_SOAK", "2000"))
ONE_IN = 1000


def noisy(seed: int):
    chance = random.Random(seed)

    def fault(data: bytes) -> bytes:
        out = bytearray()
        for byte in data:
            if chance.randrange(ONE_IN):
                out.append(byte)
            elif chance.randrange(2):
                out.append(chance.randrange(256))
        return bytes(out)

    return fault


@pytest.mark.timeout(120 + EXCHANGES / 10)
def test_every_result_is_right_and_every_retry_told(example: Example):
    line = FaultyLine(example.program, to_host=noisy(1), to_device=noisy(2))
    with line as console:
        session = Session(console)
        session.sync()
        line.sent = b""
        runs = cycle(example.runs)
        exchanges = 0
        while exchanges < EXCHANGES:
            for inputs, expected in (next(runs) for _ in range(20)):
                assert session.run(inputs) == [expected]
            commands = line.commands()
            again = sum(a == b for a, b in pairwise(commands))
            exchanges = len(commands) - again
        assert session.retries == again
        assert again > EXCHANGES / 50
