"""The SCons tool `aot`: generate(env) and exists(env)."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

# SCons registers a tool in sys.modules under its bare name, which hides the package of that name,
# and searches the tool's folder first: put the package back before importing from it.
_path = sys.path
sys.modules.pop("aot", None)
sys.path = [p for p in _path if not (Path(p) / "aot.py").is_file()]
importlib.import_module("aot")
_tool = importlib.import_module("aot.scons.tool")
sys.path = _path

generate = _tool.generate
exists = _tool.exists
