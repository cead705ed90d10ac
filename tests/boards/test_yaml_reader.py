"""Values know where they stand, and hostile files are refused early."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from aot.boards.errors import BoardFileError
from aot.boards.yaml_reader import Value, read_yaml, suggestion


def read(tmp_path: Path, text: str | bytes) -> Value:
    path = tmp_path / "b.yaml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_yaml(path)


def refusal(action: Callable[[], object]) -> str:
    with pytest.raises(BoardFileError) as caught:
        action()
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 1, "the file is empty"),
        ("# only a comment\n", 1, "the file is empty"),
        ("a: 1\nb: [1\n", 3, "expected ',' or ']'"),
        ("a: 1\n\tb: 2\n", 2, "cannot start any token"),
        ("a: 1\n---\nb: 2\n", 2, "but found another document"),
        ("a: &x 1\n", 1, "anchors and aliases are not allowed"),
        ("a: 1\nb: *x\n", 2, "anchors and aliases are not allowed"),
        ("a: !!python/object:os.system 1\n", 1, "tags are not allowed"),
        ("a: !!binary aGk=\n", 1, "tags are not allowed"),
        ("a:\n  " + "[" * 50, 2, "nests deeper than 8 levels"),
        (b"a: 1\nb: \xff\n", 2, "the file is not UTF-8"),
        ("a: \x00\n", 1, "special characters are not allowed"),
    ],
)
def test_refuses_what_is_no_plain_document(
    tmp_path: Path, text: str | bytes, line: int, why: str
) -> None:
    message = refusal(lambda: read(tmp_path, text))
    assert message.startswith(f"{tmp_path / 'b.yaml'}:{line}: ")
    assert why in message


def test_names_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    message = refusal(lambda: read_yaml(tmp_path / "none.yaml"))
    assert message == f"{tmp_path / 'none.yaml'}: No such file or directory"


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n",
        "a: " + "[" * 60_000,
        "{" * 60_000,
        "a: [" + "x," * 30_000 + "]",
        "x" * 10_000_000,
    ],
    ids=["alias bomb", "deep lists", "deep mappings", "long list", "large"],
)
def test_answers_hostile_files_soon(tmp_path: Path, text: str) -> None:
    start = time.monotonic()
    refusal(lambda: read(tmp_path, text).fields(("name",)))
    assert time.monotonic() - start < 10


def test_reads_each_kind_of_value(tmp_path: Path) -> None:
    root = read(
        tmp_path,
        "version: 1.10\nno: no\nsize: 4K\nbase: 0x4000\nbig: 2M\n"
        "half: 0.5\non: true\nall: [a, b]\n",
    )
    f = root.fields(("version", "no", "size", "base", "big", "half", "on", "all"))
    assert f["version"].text() == "1.10"
    assert f["no"].text() == "no"
    assert f["size"].integer(0, 5000) == 4096
    assert f["base"].integer(0, 1 << 32) == 16384
    assert f["big"].integer(0, 1 << 32) == 2 * 1024 * 1024
    assert f["half"].positive() == 0.5
    assert f["on"].flag() is True
    assert [v.text() for v in f["all"].items()] == ["a", "b"]
    assert f["all"].items()[1].key == "all[1]"


@pytest.mark.parametrize(
    ("value", "use", "why"),
    [
        ("1:30", lambda v: v.integer(0, 9999), "k: must be an integer, not '1:30'; write 4096"),
        ("010", lambda v: v.integer(0, 9999), "k: must be an integer, not '010'"),
        ("1_000", lambda v: v.integer(0, 9999), "k: must be an integer, not '1_000'"),
        ("-1", lambda v: v.integer(0, 9999), "k: must be an integer, not '-1'"),
        ("9" * 5000, lambda v: v.integer(0, 9999), "k: must be an integer, not '9999"),
        ("64k", lambda v: v.integer(0, 9999), "k: must be an integer, not '64k'"),
        ("10K", lambda v: v.integer(0, 9999), "k: must be in 0 to 9999, not '10K'"),
        ("nan", Value.positive, "k: must be a number above 0, not 'nan'"),
        ("1e400", Value.positive, "k: must be a number above 0, not '1e400'"),
        ("0.0", Value.positive, "k: must be a number above 0, not '0.0'"),
        ("yes", Value.flag, "k: unknown value 'yes'; valid: true, false"),
        ("ture", Value.flag, "k: unknown value 'ture'; did you mean 'true'? valid: true, false"),
        ("", Value.text, "k: must be a text, not empty"),
        ("[a]", Value.text, "k: must be a text, not a list"),
        ("{a: b}", Value.items, "k: must be a list, not a mapping"),
        ("a", Value.items, "k: must be a list, not 'a'"),
        ("a", lambda v: v.fields(("b",)), "k: must be a mapping, not 'a'"),
        ('"a\\nb"', Value.line, "k: must be one line of printable text"),
        ("Flash", Value.identifier, "k: must be lower-case letters, digits and '_'"),
        ("a*/b", Value.identifier, "k: must be lower-case letters, digits and '_'"),
    ],
)
def test_refuses_other_kinds(
    tmp_path: Path, value: str, use: Callable[[Value], object], why: str
) -> None:
    root = read(tmp_path, f"# first\nk: {value}\n")
    message = refusal(lambda: use(root.fields(("k",))["k"]))
    assert message.startswith(f"{tmp_path / 'b.yaml'}:2: {why}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: x\nsise: 1\n", "2: unknown key 'sise'; did you mean 'size'? valid: name, size"),
        ("name: x\nzzz: 1\n", "2: unknown key 'zzz'; valid: name, size"),
        ("size: 1\n", "1: lacks the key 'name'"),
        ("name: x\nsize: 1\nsize: 2\n", "3: size: is given twice, first on line 2"),
        ("name: x\n? [a]\n: 1\n", "2: must be a text, not a list"),
        ("- name\n", "1: must be a mapping, not a list"),
    ],
)
def test_a_mapping_has_each_key_once_and_no_other(tmp_path: Path, text: str, message: str) -> None:
    root = read(tmp_path, text)
    assert refusal(lambda: root.fields(("name",), ("size",))) == f"{tmp_path / 'b.yaml'}:{message}"


def test_an_endless_key_is_clipped(tmp_path: Path) -> None:
    message = refusal(lambda: read(tmp_path, f"{'k' * 1000}: 1\n").fields(("name",)))
    assert "unknown key 'kkk" in message
    assert len(message) < len(str(tmp_path)) + 200


def test_suggests_the_nearest() -> None:
    assert suggestion("hots", ["host", "ram"]) == "did you mean 'host'? valid: host, ram"
    assert suggestion("x", []) == "none is known"
