"""The pytest plugin: on the host and on an emulator, inert without options, errors with names."""

from __future__ import annotations

import shutil

import pytest

from tests.support.models import DIGITS, ROOT
from tests.support.native import gcc

pytest_plugins = ["pytester"]
TEST = """
import numpy as np
from aot.hil.interface import read_interface

def test_digits(board, firmware, console):
    interface = read_interface(firmware.metadata)
    vectors = np.load({vectors!r})
    console.select(0)
    (raw,) = console.run(vectors["in0"][0].tobytes())
    assert (interface.outputs[0].array(raw) == vectors["out0"][0]).all()
    assert console.identify().board == board.name
"""


@pytest.fixture
def run(pytester, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makepyfile(TEST.format(vectors=str(DIGITS.with_suffix(".npz"))))

    def run(*options):
        return pytester.runpytest_subprocess("-p", "aot.pytest_plugin", "-rs", *options)

    return run


@pytest.mark.parametrize("name", ["host", "mps2-an386"])
def test_on_a_board(run, name):
    gcc()
    if name != "host" and None in map(shutil.which, ("arm-none-eabi-gcc", "qemu-system-arm")):
        pytest.skip("needs arm-none-eabi-gcc and qemu-system-arm")
    run("--microaot-board", name, "--microaot-model", DIGITS).assert_outcomes(passed=1)


def test_inert_without_options(run):
    result = run()
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["*needs --microaot-board or --microaot-lab*"])


def test_a_lab_of_several_boards(run, pytester):
    gcc()
    (pytester.path / "lab.yaml").write_text(
        "- {connected: true, platform: host}\n- {connected: true, platform: mps2-an386}\n"
    )
    options = ("--microaot-lab", "lab.yaml", "--microaot-model", DIGITS)
    run(*options, "--microaot-board", "native").assert_outcomes(passed=1)
    result = run(*options)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*OptionError*2 boards of the lab fit*host, mps2-an386*"])
