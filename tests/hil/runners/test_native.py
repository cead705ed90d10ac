"""Native programs: exact command line."""

from __future__ import annotations

from aot.hil.runners.native import NativeRunner


def test_native_argv(tmp_path):
    assert NativeRunner().argv(tmp_path / "firmware") == [str(tmp_path / "firmware")]
