"""Splits the IR's text form into tokens; whitespace and ``//`` comments separate them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from aot.errors import MicroaotError


class ParseError(MicroaotError):
    """A text that is no module; ``where`` is its line and column, both from 1."""


class TokenKind(Enum):
    NAME = "a name"
    STRING = "a string"
    INT = "an integer"
    FLOAT = "a number"
    MARK = "a mark"
    END = "the end of the text"


@dataclass(frozen=True)
class Token:
    """A word of the text and the index at which it starts."""

    kind: TokenKind
    text: str
    start: int


_TOKEN = re.compile(
    r"""
      (?P<SKIP>   [ \t\r\n]+ | //[^\n]* )
    | (?P<NAME>   [A-Za-z_][A-Za-z0-9_]* )
    | (?P<STRING> "(?:[^"\\\n]|\\.)*" )
    | (?P<FLOAT>  [0-9]+(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+) )
    | (?P<INT>    [0-9]+ )
    | (?P<MARK>   <<|>>|==|!=|<=|>=|\.\.|[()\[\]{}<>,:=+\-*/%|^&\#] )
    """,
    re.VERBOSE,
)


def error_at(text: str, index: int, why: str, remedy: str = "") -> ParseError:
    """The error ``why`` at an index of ``text``."""
    line = text.count("\n", 0, index) + 1
    column = index - (text.rfind("\n", 0, index) + 1) + 1
    return ParseError(why, where=f"line {line}, column {column}", remedy=remedy)


def tokenize(text: str) -> list[Token]:
    """The tokens of ``text``, END last. Raises ParseError at a character that starts none."""
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            why = "the string does not end" if text[position] == '"' else "a stray character"
            raise error_at(text, position, f"{why}: `{text[position]}`")
        kind = match.lastgroup
        assert kind is not None, "every alternative is named"
        if kind != "SKIP":
            tokens.append(Token(TokenKind[kind], match.group(), position))
        position = match.end()
    tokens.append(Token(TokenKind.END, "", len(text)))
    return tokens
