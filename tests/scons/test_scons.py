"""SCons: what is rebuilt when, what is declared, and how bad calls end."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.models import DIGITS, ROOT

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
FOREIGN = """\
import os
from pathlib import Path
env = Environment(
    tools=["default", "aot"],
    toolpath=[PyPackageDir("aot.scons")],
    ENV={"PATH": os.environ["PATH"]},
    CPPPATH=["#/gen"],
)
env.Program("app", ["main.c", *env.AotModel("gen/net", "net.tflite", BOARD="host")])
"""
MAIN = """\
#include "net.h"
int main(void) { return NET_OK; }
"""


def scons(folder, *args, package=None):
    """Runs SCons in ``folder`` with the package of ``package`` (a source tree)."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(package or ROOT)}
    command = [sys.executable, "-m", "SCons", "-Q", *args]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def ok(result):
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture
def tree(tmp_path):
    """A copy of what the SConstruct needs, in a folder with a space and another alphabet."""
    folder = tmp_path / "mein Baum ä"
    folder.mkdir()
    for name in ("aot", "boards", "firmware", "site_scons", "examples"):
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=ignore)
    shutil.copy(ROOT / "SConstruct", folder)
    return folder


@pytest.fixture
def foreign(tmp_path):
    """Somebody else's tree, which knows the package only."""
    folder = tmp_path / "foreign tree"
    folder.mkdir()
    (folder / "SConstruct").write_text(FOREIGN)
    (folder / "main.c").write_text(MAIN)
    shutil.copy(DIGITS, folder / "net.tflite")
    return folder


def test_build_then_nothing_then_what_changed(tree):
    first = ok(scons(tree, "BOARD=host", "build", package=tree))
    assert "Linking out/host/firmware" in first
    again = ok(scons(tree, "BOARD=host", "build", package=tree))
    assert again.strip() == "scons: `build' is up to date."

    # A pass that generates the same C: the model is compiled again, no C is.
    with (tree / "aot" / "passes" / "eliminate_dead.py").open("a") as file:
        file.write("\n# A comment.\n")
    touched = ok(scons(tree, "BOARD=host", "build", package=tree))
    assert "Compiling models for host" in touched
    assert ".c\n" not in touched.replace("Compiling models for host", "")
    assert "Linking" not in touched

    # A board file: pools have a limit now, which the generated files state.
    board = tree / "boards" / "host.yaml"
    text = board.read_text()
    board.write_text(text.replace("kind: workspace}", "kind: workspace, size_limit: 1M}"))
    assert board.read_text() != text
    changed = ok(scons(tree, "BOARD=host", "build", package=tree))
    assert "Compiling models for host" in changed
    assert "generated/digits.c" in changed
    assert "firmware/crc32.c" not in changed

    # The model.
    model = tree / "examples" / "digits" / "digits.tflite"
    model.write_bytes(model.read_bytes() + b"\0")
    assert "generated/digits.c" in ok(scons(tree, "BOARD=host", "build", package=tree))

    # A driver's header.
    with (tree / "firmware" / "include" / "output.h").open("a") as file:
        file.write("\n")
    header = ok(scons(tree, "BOARD=host", "build", package=tree))
    assert "firmware/output.c" in header
    assert "firmware/crc32.c" not in header

    # A side file that somebody deleted.
    (tree / "out" / "host" / "generated" / "digits.json").unlink()
    ok(scons(tree, "BOARD=host", "build", package=tree))
    assert (tree / "out" / "host" / "generated" / "digits.json").exists()


def test_no_exec_writes_nothing_and_clean_removes_all(tree):
    ok(scons(tree, "-n", "BOARD=host", "build", package=tree))
    assert not (tree / "out").exists()
    ok(scons(tree, "-j2", "BOARD=host", "build", package=tree))
    ok(scons(tree, "-c", "BOARD=host", "build", package=tree))
    assert not (tree / "out" / "host").exists()


def test_default_builds_and_runs_the_example(tree):
    output = ok(scons(tree, package=tree))
    assert "360 of 360 runs equal the reference bit for bit" in output
    assert (tree / "out" / "host" / "test.xml").exists()
    # Tests always run.
    assert "360 of 360" in ok(scons(tree, "test", package=tree))


def test_constants_move_to_ram(tree):
    report = ok(scons(tree, "BOARD=mps2-an386", "CONSTANTS=ssram23", "build", package=tree))
    assert "Linking" in report
    text = (tree / "out" / "mps2-an386" / "generated" / "digits.h").read_text()
    assert "ssram23_constants" in text


def test_other_targets(tree):
    assert "stm32f746" in ok(scons(tree, "boards", package=tree))
    assert "<- peak" in ok(scons(tree, "report", package=tree))
    assert "host: flash" in ok(scons(tree, "size", package=tree))
    assert "nothing to flash" in ok(scons(tree, "flash", package=tree))


def test_report_files(tree):
    out = tree / "out" / "host"
    pages = [out / f"report.{suffix}" for suffix in ("html", "json", "csv")]
    ok(scons(tree, "build", package=tree))
    assert not any(p.exists() for p in pages)
    first = ok(scons(tree, "report", package=tree))
    assert "Reporting on out/host/firmware" in first
    assert all(f"\n  out/host/{p.name}" in first for p in pages)
    made = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in pages}
    assert not [text for text, _ in made.values() if str(tree).encode() in text]

    again = ok(scons(tree, "report", package=tree))
    assert "Reporting" not in again and "<- peak" in again
    assert "up to date" in ok(scons(tree, "out/host/report.json", package=tree))
    assert "up to date" in ok(scons(tree, "build", package=tree))

    # One of them that somebody deleted comes back alone.
    pages[2].unlink()
    assert "Reporting" in ok(scons(tree, "report", package=tree))
    assert made == {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in pages} | {
        pages[2]: (pages[2].read_bytes(), made[pages[2]][1])
    }

    # What a test of this build measured.
    content = json.loads(pages[1].read_text())
    assert content["models"][0]["measured"] is None
    model = {"name": "digits", "ticks": 7, "hz": 1, "stack_bytes": 9, "pools": {"ram": 3000}}
    record = {"board": "host", "build_id": content["build_id"], "models": [model]}
    (out / "test.json").write_text(json.dumps(record))
    assert "Reporting" in ok(scons(tree, "report", package=tree))
    assert json.loads(pages[1].read_text())["models"][0]["measured"]["ticks"] == 7
    assert "up to date" in ok(scons(tree, "build", package=tree))

    (out / "test.json").write_text("{}")
    broken = scons(tree, "report", package=tree)
    assert broken.returncode == 2
    assert "test.json: is no record of a test" in broken.stderr
    assert "Traceback" not in broken.stderr + broken.stdout

    (out / "test.json").unlink()
    ok(scons(tree, "-c", "report", package=tree))
    assert not any(p.exists() for p in pages)


def test_a_report_waits_for_the_test_beside_it(tree):
    lines = ok(scons(tree, "-j2", "report", "test", package=tree)).splitlines()
    order = [line.split()[0] for line in lines if line.startswith(("Testing", "Reporting"))]
    assert order == ["Testing", "Reporting"]


def test_screen_shows_pools(tree):
    built = ok(scons(tree, "build", package=tree))
    assert re.search(r"^  pool ram +3,072 of +268,369,920 ", built, re.MULTILINE)
    assert ok(scons(tree, "size", package=tree)) in built


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["BOARD=nosuch", "build"], "unknown board 'nosuch'"),
        (["BAORD=host", "build"], "unknown variable BAORD=; did you mean BOARD=?"),
        (["MODEL=nosuch.tflite", "build"], "MODEL=nosuch.tflite: there is no such model"),
        (["PLANNER=best", "build"], "there is no planner `best`"),
        (["CONSTANTS=rom", "build"], "constants: the board has no workspace pool `rom`"),
        (["POOLS=ram=1X", "build"], "pool ram=1X: `1X` is no size"),
        (["PLACE=conv", "build"], "place conv: names no buffers and pools"),
        (["MODEL=a.tflite,b.tflite", "VECTORS=v.npz"], "2 models and 1 files of vectors"),
    ],
)
def test_bad_calls(args, message):
    result = scons(ROOT, *args)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr + result.stdout


def test_broken_model_leaves_no_file(tree):
    model = tree / "broken.tflite"
    model.write_bytes(DIGITS.read_bytes()[:3000])
    result = scons(tree, "MODEL=broken.tflite", "build", package=tree)
    assert result.returncode == 2
    assert "broken.tflite: " in result.stderr
    assert "Traceback" not in result.stderr
    assert not [p for p in (tree / "out").rglob("broken*") if p.is_file()]


def test_vectors_that_do_not_fit(tree):
    (tree / "bad.npz").write_bytes(b"not a zip")
    result = scons(tree, "VECTORS=bad.npz", "test", package=tree)
    assert result.returncode == 2
    assert "bad.npz: cannot be read as .npz" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_test_that_fails_fails_the_build(tree):
    import numpy as np

    with np.load(tree / "examples" / "digits" / "digits.npz") as vectors:
        wrong = vectors["out0"][:2] ^ 1
        np.savez(tree / "wrong.npz", in0=vectors["in0"][:2], out0=wrong)
    result = scons(tree, "VECTORS=wrong.npz", "test", package=tree)
    assert result.returncode == 2
    assert "first difference: run 0" in result.stdout


def test_foreign_tree(foreign):
    output = ok(scons(foreign))
    assert "Compiling net.tflite for host" in output
    assert (foreign / "gen" / "net_report.txt").exists()
    subprocess.run([foreign / "app"], check=True)
    assert "up to date" in ok(scons(foreign))
    (foreign / "gen" / "net.h").unlink()
    ok(scons(foreign))
    assert (foreign / "gen" / "net.h").exists()


def test_foreign_tree_with_an_unknown_board(foreign):
    construct = foreign / "SConstruct"
    construct.write_text(construct.read_text().replace('BOARD="host"', 'BOARD="hots"'))
    result = scons(foreign)
    assert result.returncode == 2
    assert "unknown board 'hots'" in result.stderr


def test_cache(foreign, tmp_path):
    construct = foreign / "SConstruct"
    cache = tmp_path / "cache"
    construct.write_text(construct.read_text() + f'CacheDir("{cache}")\n')
    ok(scons(foreign))
    ok(scons(foreign, "-c"))
    assert "Retrieved" in ok(scons(foreign))


def test_variant_directory(foreign):
    source = foreign / "src"
    source.mkdir()
    for name in ("main.c", "net.tflite"):
        shutil.move(foreign / name, source / name)
    text = FOREIGN.replace('"#/gen"', '"gen"')
    (source / "SConscript").write_text(text)
    (foreign / "SConstruct").write_text('SConscript("src/SConscript", variant_dir="build")\n')
    ok(scons(foreign))
    subprocess.run([foreign / "build" / "app"], check=True)
    assert sorted(p.name for p in Path(source).iterdir()) == ["SConscript", "main.c", "net.tflite"]
    assert "up to date" in ok(scons(foreign))
