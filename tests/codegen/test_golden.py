"""Generated files, to the byte."""

from __future__ import annotations

import pytest

from aot.codegen.files import GeneratedFile
from tests.codegen.golden_files import FOLDER, golden_files


@pytest.mark.parametrize("file", golden_files(), ids=lambda f: f.name)
def test_generated_file_is_as_reviewed(file: GeneratedFile):
    assert file.text == (FOLDER / file.name).read_text()


def test_nothing_else_is_kept():
    assert {p.name for p in FOLDER.iterdir()} == {f.name for f in golden_files()}
