"""Files reach the disk together or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aot.codegen.files import GeneratedFile, OutputError, write_files


def contents(folder: Path) -> dict[str, str]:
    return {p.name: p.read_text() for p in folder.iterdir() if p.is_file()}


def test_writes_into_a_new_folder(tmp_path: Path):
    folder = tmp_path / "new folder" / "deep"
    paths = write_files([GeneratedFile("a.c", "a\n"), GeneratedFile("b.c", "é\n")], folder)
    assert paths == (folder / "a.c", folder / "b.c")
    assert contents(folder) == {"a.c": "a\n", "b.c": "é\n"}
    assert (folder / "a.c").read_bytes() == b"a\n"


def test_unchanged_files_keep_their_time(tmp_path: Path):
    write_files([GeneratedFile("a.c", "a\n"), GeneratedFile("b.c", "b\n")], tmp_path)
    for name in ("a.c", "b.c"):
        os.utime(tmp_path / name, (1, 1))
    write_files([GeneratedFile("a.c", "a\n"), GeneratedFile("b.c", "changed\n")], tmp_path)
    assert (tmp_path / "a.c").stat().st_mtime == 1
    assert (tmp_path / "b.c").stat().st_mtime != 1
    assert contents(tmp_path) == {"a.c": "a\n", "b.c": "changed\n"}


def test_a_folder_in_the_way_leaves_everything_as_it_was(tmp_path: Path):
    write_files([GeneratedFile("a.c", "old\n")], tmp_path)
    (tmp_path / "b.c").mkdir()
    with pytest.raises(OutputError, match=r"b\.c: a folder has the name of a file"):
        write_files([GeneratedFile("a.c", "new\n"), GeneratedFile("b.c", "b\n")], tmp_path)
    assert contents(tmp_path) == {"a.c": "old\n"}


def test_a_failure_while_writing_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    write_files([GeneratedFile("a.c", "old\n")], tmp_path)
    real, calls = os.chmod, []

    def full(path: str, mode: int) -> None:
        calls.append(path)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        real(path, mode)

    monkeypatch.setattr(os, "chmod", full)
    with pytest.raises(OutputError, match="No space left on device"):
        write_files([GeneratedFile("a.c", "new\n"), GeneratedFile("b.c", "b\n")], tmp_path)
    assert contents(tmp_path) == {"a.c": "old\n"}


def test_a_file_where_the_folder_should_be(tmp_path: Path):
    (tmp_path / "out").write_text("")
    with pytest.raises(OutputError, match="cannot write"):
        write_files([GeneratedFile("a.c", "a\n")], tmp_path / "out")
