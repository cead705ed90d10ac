"""Imports point one way: from what knows more to what knows less."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import aot

PACKAGE = Path(aot.__file__).parent

# What each part may import besides itself, errors, names and resources.
ALLOWED = {
    "errors": set(),
    "names": set(),
    "resources": set(),
    "ir": set(),
    "planners": {"ir"},
    "analysis": {"ir", "planners"},
    "ops": {"ir"},
    "passes": {"ir", "analysis", "planners", "ops", "targets"},
    "targets": {"ir", "ops", "passes"},
    "frontend": {"ir", "ops"},
    "codegen": {"ir", "analysis"},
    "boards": {"ir"},
    "hil": {"boards"},
    "compiler": {
        *("ir", "analysis", "planners", "ops", "passes", "targets", "frontend", "codegen"),
    },
    "build": {"boards", "codegen", "compiler"},
    "pool_options": {"ir", "passes"},
    "progress": {"ir", "codegen", "compiler"},
    "report": {"ir", "analysis", "codegen", "boards", "compiler"},
    "commands": {
        *("ir", "planners", "ops", "passes", "codegen", "boards", "hil", "compiler", "build"),
        *("pool_options", "progress", "report"),
    },
    "scons": {
        *("planners", "codegen", "boards", "hil", "compiler", "build"),
        *("pool_options", "progress", "report"),
    },
    "pytest_plugin": {"boards", "hil", "compiler", "commands"},
    "cli": {"commands"},
}
BASE = {"errors", "names", "resources"}


def modules():
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts[0] not in ("__init__", "_data"):
            yield parts[0], path


def imported(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
            if node.module == "aot":
                names = [f"aot.{a.name}" for a in node.names]
        elif isinstance(node, ast.Import):
            names = [a.name for a in node.names]
        else:
            continue
        yield from (n.split(".")[1] for n in names if n.startswith("aot."))


@pytest.mark.parametrize("part", sorted({part for part, _ in modules()}))
def test_imports_point_one_way(part):
    for owner, path in modules():
        if owner == part:
            extra = set(imported(path)) - ALLOWED[part] - BASE - {part}
            assert not extra, f"{path.relative_to(PACKAGE)} imports {sorted(extra)}"


def test_only_the_command_line_reads_the_environment():
    for _, path in modules():
        text = path.read_text()
        if "getenv" in text or "os.environ" in text:
            # What programs print is read back, so they run in an untranslated environment.
            assert path.name in ("cli.py", "build.py", "process.py"), path
