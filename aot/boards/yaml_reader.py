"""Reads YAML strictly: every value knows its file, line and key, and says so when refused."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

import yaml

from aot.boards.errors import BoardFileError

T = TypeVar("T")

# Ten times an honest file; the parser, in Python, takes a second or two for it.
_MAX_BYTES = 32 * 1024
_MAX_DEPTH = 8
_MAX_SHOWN = 40

_INTEGER = re.compile(r"(0|[1-9][0-9]{0,17}|0x[0-9a-fA-F]{1,16})([KM]?)")
_UNITS = {"": 1, "K": 1024, "M": 1024 * 1024}
_NUMBER = re.compile(r"[0-9]{1,15}(\.[0-9]{1,15})?")
_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]{0,31}")


def suggestion(wrong: str, valid: Sequence[str]) -> str:
    """The nearest of ``valid`` to ``wrong`` and all the others, as a remedy."""
    near = get_close_matches(wrong[:_MAX_SHOWN], valid, n=1)
    guess = f"did you mean {near[0]!r}? " if near else ""
    return f"{guess}valid: {', '.join(valid)}" if valid else "none is known"


@dataclass(frozen=True)
class Value:
    """A node of the file under the dotted ``key`` that leads to it.

    Every reader raises BoardFileError where the value is not what it reads.
    """

    file: Path
    key: str
    node: yaml.Node

    def error(self, why: str, remedy: str = "") -> BoardFileError:
        """The refusal of this value, to be raised."""
        return _error(self.file, self.node.start_mark.line, why, remedy, self.key)

    def fields(self, required: Sequence[str], optional: Sequence[str] = ()) -> dict[str, Value]:
        """A mapping with all the ``required`` keys and no key but those and the ``optional``."""
        fields = self.entries((*required, *optional))
        missing = [key for key in required if key not in fields]
        if missing:
            raise self.error(f"lacks the key {missing[0]!r}")
        return fields

    def entries(self, valid: Sequence[str]) -> dict[str, Value]:
        """A mapping with any of the ``valid`` keys, in the file's order."""
        if not isinstance(self.node, yaml.MappingNode):
            raise self.error(f"must be a mapping, not {self._shown()}")
        fields: dict[str, Value] = {}
        for key_node, node in self.node.value:
            name = Value(self.file, self.key, key_node).text()
            value = Value(self.file, f"{self.key}.{name}" if self.key else name, node)
            if name not in valid:
                where = Value(self.file, self.key, key_node)
                raise where.error(f"unknown key {_clip(name)!r}", suggestion(name, valid))
            if name in fields:
                first = fields[name].node.start_mark.line + 1
                raise value.error(f"is given twice, first on line {first}")
            fields[name] = value
        return fields

    def items(self) -> tuple[Value, ...]:
        """The elements of a sequence."""
        if not isinstance(self.node, yaml.SequenceNode):
            raise self.error(f"must be a list, not {self._shown()}")
        return tuple(
            Value(self.file, f"{self.key}[{i}]", node) for i, node in enumerate(self.node.value)
        )

    def text(self) -> str:
        """A scalar, not empty, as it is spelled: ``no`` and ``1.10`` stay text."""
        if not isinstance(self.node, yaml.ScalarNode) or not self.node.value:
            raise self.error(f"must be a text, not {self._shown()}")
        return str(self.node.value)

    def line(self) -> str:
        """Printable text without line breaks."""
        text = self.text()
        if not text.isprintable():
            raise self.error("must be one line of printable text")
        return text

    def matching(self, pattern: re.Pattern[str], what: str) -> str:
        """Text of the form ``pattern``, described as ``what``."""
        text = self.text()
        if not pattern.fullmatch(text):
            raise self.error(f"must be {what}, not {self._shown()}")
        return text

    def identifier(self) -> str:
        """A name that C and the linker accept."""
        return self.matching(_IDENTIFIER, "lower-case letters, digits and '_', 32 at most")

    def choice(self, valid: Sequence[str], what: str) -> str:
        """One of ``valid``."""
        text = self.text()
        if text not in valid:
            raise self.error(f"unknown {what} {_clip(text)!r}", suggestion(text, valid))
        return text

    def integer(self, low: int, high: int) -> int:
        """A decimal or 0x integer in ``low`` to ``high``; K and M multiply by 2**10 and 2**20."""
        match = _INTEGER.fullmatch(self.text())
        if not match:
            raise self.error(
                f"must be an integer, not {self._shown()}", "write 4096, 0x1000, 4K or 1M"
            )
        value = int(match[1], 0) * _UNITS[match[2]]
        if not low <= value <= high:
            raise self.error(f"must be in {low} to {high}, not {self._shown()}")
        return value

    def positive(self) -> float:
        """A decimal number above 0."""
        text = self.text()
        value = float(text) if _NUMBER.fullmatch(text) else math.nan
        if not value > 0:
            raise self.error(f"must be a number above 0, not {self._shown()}")
        return value

    def flag(self) -> bool:
        """``true`` or ``false``."""
        return self.choice(("true", "false"), "value") == "true"

    def _shown(self) -> str:
        if isinstance(self.node, yaml.ScalarNode):
            return repr(_clip(self.node.value)) if self.node.value else "empty"
        return "a mapping" if isinstance(self.node, yaml.MappingNode) else "a list"


def optional(fields: dict[str, Value], key: str, read: Callable[[Value], T], default: T) -> T:
    """What ``read`` makes of a key that may be left out."""
    return read(fields[key]) if key in fields else default


def refuse_repeats(items: Sequence[Value], names: Iterable[str]) -> None:
    """Raises BoardFileError at the first of ``items`` whose name an earlier one has."""
    seen: list[str] = []
    for item, name in zip(items, names, strict=True):
        if name in seen:
            raise item.error(f"{name!r} is listed twice")
        seen.append(name)


def read_yaml(path: Path) -> Value:
    """The root of a file of one YAML document without aliases, anchors or tags.

    Raises BoardFileError where the file cannot be read, is not YAML, or nests or grows beyond
    anything that a board needs.
    """
    text = _read_text(path)
    try:
        _refuse_exotic(path, text)
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise _error(path, mark.line if mark else 0, str(error.problem)) from None
    except yaml.YAMLError as error:
        raise _error(path, 0, " ".join(str(error).split())) from None
    if root is None:
        raise _error(path, 0, "the file is empty")
    return Value(path, "", root)


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            raise _error(path, 0, f"the file is larger than {_MAX_BYTES} bytes")
        return data.decode("utf-8-sig")
    except OSError as error:
        raise BoardFileError(error.strerror or str(error), where=str(path)) from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start)
        raise _error(path, line, "the file is not UTF-8") from None


def _refuse_exotic(path: Path, text: str) -> None:
    """Refuses what could make composing costly, while the parser still works piece by piece."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        line = event.start_mark.line if event.start_mark else 0
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _error(path, line, "anchors and aliases are not allowed", "write values out")
        if getattr(event, "tag", None):
            raise _error(path, line, "tags are not allowed", "write plain values")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > _MAX_DEPTH:
            raise _error(path, line, f"nests deeper than {_MAX_DEPTH} levels")


def _error(path: Path, line: int, why: str, remedy: str = "", key: str = "") -> BoardFileError:
    where = f"{path}:{line + 1}"
    return BoardFileError(why, where=f"{where}: {key}" if key else where, remedy=remedy)


def _clip(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."
