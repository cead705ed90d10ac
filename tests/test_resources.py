"""The package finds its data in a source tree and in an installation."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import aot
from aot.resources import data_dir

ROOT = Path(aot.__file__).resolve().parent.parent


@pytest.mark.parametrize("kind", ["boards", "firmware"])
def test_a_source_tree_has_its_data_at_the_root(kind: str) -> None:
    assert data_dir(kind) == ROOT / kind


def ask(site: Path) -> subprocess.CompletedProcess[str]:
    """What a package installed in ``site`` answers."""
    code = "from aot.resources import data_dir; print(data_dir('boards'))"
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=site,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def site(tmp_path: Path) -> Path:
    package = tmp_path / "aot"
    package.mkdir()
    for name in ("__init__.py", "errors.py", "resources.py"):
        shutil.copy(ROOT / "aot" / name, package)
    return tmp_path


def test_an_installation_prefers_its_own_data_to_a_neighbour(site: Path) -> None:
    (site / "boards").mkdir()
    (site / "aot" / "_data" / "boards").mkdir(parents=True)
    assert ask(site).stdout.strip() == str(site.resolve() / "aot" / "_data" / "boards")


def test_an_installation_without_data_says_so(site: Path) -> None:
    answer = ask(site)
    assert answer.returncode == 1
    assert f"MissingDataError: microaot: no folder 'boards' in {site.resolve()}" in answer.stderr
    assert "install the package again" in answer.stderr
