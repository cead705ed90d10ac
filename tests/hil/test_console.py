"""Opening ports."""

from __future__ import annotations

import pytest

from aot.hil.errors import PortError


def test_no_such_port():
    from aot.hil.console import open_console

    with pytest.raises(PortError, match="cannot be opened"):
        open_console("/dev/does-not-exist", 115200)
