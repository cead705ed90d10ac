"""`scons LAB=`: all boards of a bench at once, failures apart, one table at the end."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from tests.scons.test_scons import ok, scons, tree
from tests.support.models import DIGITS, ROOT

__all__ = ["tree"]
pytestmark = pytest.mark.skipif(
    any(shutil.which(p) is None for p in ("gcc", "arm-none-eabi-gcc", "qemu-system-arm")),
    reason="needs gcc, arm-none-eabi-gcc and qemu-system-arm",
)


def lab(folder, *entries):
    lines = [f"- {{connected: true, {entry}}}\n" for entry in entries]
    (folder / "lab.yaml").write_text("".join(lines))


def rows(output):
    """The table's rows after its head, split into words, and its last line."""
    lines = output.splitlines()
    head = next(
        i for i, line in enumerate(lines) if line.split()[:3] == ["board", "where", "verdict"]
    )
    return [line.split() for line in lines[head + 1 : -1]], lines[-1]


def test_all_boards_at_once(tree):
    lab(tree, "platform: host", "platform: mps2-an386", "platform: mps2-an386, notes: the other")
    output = ok(scons(tree, "LAB=lab.yaml", "test", package=tree))
    found, last = rows(output)
    assert [row[:6] for row in found] == [
        ["host", "native", "passed", "360", "of", "360"],
        ["mps2-an386@2", "qemu", "passed", "360", "of", "360"],
        ["mps2-an386@3", "qemu", "passed", "360", "of", "360"],
    ]
    assert last == "3 of 3 passed"
    for name in ("host", "mps2-an386@2", "mps2-an386@3"):
        record = json.loads((tree / "out" / name / "test.json").read_text())
        assert (record["schema"], record["board"], record["verdict"]) == (
            *(1, name.split("@")[0], "passed"),
        )
        assert (tree / "out" / name / "test.xml").exists()


def test_a_firmware_that_does_not_fit_stops_no_other(tree):
    text = (tree / "boards" / "mps2-an386.yaml").read_text()
    small = tree / "small"
    small.mkdir()
    changed = text.replace("name: mps2-an386\n", "name: tiny\n").replace("size: 4M", "size: 4K", 1)
    assert changed.count("size: 4K") == 1
    (small / "tiny.yaml").write_text(changed)
    lab(tree, "platform: tiny", "platform: host")
    result = scons(tree, "LAB=lab.yaml", "BOARDS=small", "test", package=tree)
    assert result.returncode == 2
    assert "region" in result.stderr and "tiny" in result.stderr
    found, last = rows(result.stdout)
    assert [row[:3] for row in found] == [["tiny", "qemu", "not"], ["host", "native", "passed"]]
    assert last == "1 of 2 passed"


def test_a_board_that_fails_stops_no_other(tree):
    with np.load(DIGITS.with_suffix(".npz")) as vectors:
        wrong = np.array(vectors["out0"][:2])
        wrong[1] ^= 1
        np.savez(tree / "wrong.npz", in0=vectors["in0"][:2], out0=wrong)
    lab(tree, "platform: nucleo_f446re, id: none-such", "platform: host")
    result = scons(tree, "LAB=lab.yaml", "VECTORS=wrong.npz", "test", package=tree)
    assert result.returncode == 2
    found, last = rows(result.stdout)
    assert found[0][:4] == ["nucleo_f446re", "none-such", "no", "port"]
    assert found[1][:7] == ["host", "native", "wrong", "outputs", "1", "of", "2"]
    assert last == "0 of 2 passed"
    record = json.loads((tree / "out" / "nucleo_f446re" / "test.json").read_text())
    assert "no port of serial number none-such" in record["message"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["LAB=nosuch.yaml", "test"], "nosuch.yaml: No such file"),
        (["LAB=lab.yaml", "BOARD=host"], "LAB= names the boards itself, and BOARD= is given too"),
        (["RUNNER=openocd"], "RUNNER=: board host has no runner 'openocd'; valid: native"),
    ],
)
def test_bad_calls(args, message):
    result = scons(ROOT, *args)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr + result.stdout


def test_the_single_board_leaves_a_record_too(tree):
    ok(scons(tree, "test", package=tree))
    record = json.loads((tree / "out" / "host" / "test.json").read_text())
    assert (record["verdict"], record["models"][0]["runs"]) == ("passed", 360)
