"""Reads names, literals, types and contents from the tokens of the IR's text form."""

from __future__ import annotations

import base64
import binascii
import difflib
import json
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from aot.ir.lexer import ParseError, Token, TokenKind, error_at, tokenize
from aot.ir.syntax import DTYPES, RESERVED
from aot.ir.types import Data, DType, Quantization, TensorType

_T = TypeVar("_T")
_SPECIAL = {"inf": float("inf"), "nan": float("nan")}


class Cursor:
    """A place in the text; ``quantizations`` are those that types refer to by number."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokenize(text)
        self._next = 0
        self._hints: dict[type[Any], dict[str, Any]] = {}
        self.quantizations: dict[int, Quantization] = {}

    @property
    def token(self) -> Token:
        """The token that comes next."""
        return self._tokens[self._next]

    def ahead(self, count: int = 1) -> Token:
        """The token ``count`` after the next; END where the text is shorter."""
        return self._tokens[min(self._next + count, len(self._tokens) - 1)]

    def error(self, why: str, remedy: str = "", at: Token | None = None) -> ParseError:
        """The error ``why`` at the next token, or at the token ``at``."""
        return error_at(self._text, (at or self.token).start, why, remedy)

    def expected(self, what: str) -> ParseError:
        """The error that something else than ``what`` comes next."""
        token = self.token
        found = token.kind.value if token.kind is TokenKind.END else f"`{token.text}`"
        return self.error(f"expected {what}, found {found}")

    def take(self) -> Token:
        token = self.token
        if token.kind is not TokenKind.END:
            self._next += 1
        return token

    def at(self, *words: str) -> bool:
        """Whether one of these keywords or marks comes next."""
        token = self.token
        return token.text in words and token.kind in (TokenKind.NAME, TokenKind.MARK)

    def accept(self, word: str) -> bool:
        """Takes ``word`` where it comes next."""
        found = self.at(word)
        if found:
            self.take()
        return found

    def expect(self, word: str) -> Token:
        if not self.at(word):
            raise self.expected(f"`{word}`")
        return self.take()

    def at_name(self) -> bool:
        kind, text = self.token.kind, self.token.text
        return kind is TokenKind.STRING or (kind is TokenKind.NAME and text not in RESERVED)

    def name(self, what: str = "a name") -> str:
        """An identifier that is no keyword, or any name in quotes."""
        if not self.at_name():
            raise self.expected(what)
        return self.string() if self.token.kind is TokenKind.STRING else self.take().text

    def string(self) -> str:
        if self.token.kind is not TokenKind.STRING:
            raise self.expected("a string")
        try:
            value: str = json.loads(self.token.text)
        except ValueError as error:
            raise self.error("the string has an escape or character that JSON has not") from error
        self.take()
        return value

    def word(self, table: Mapping[str, _T], what: str) -> _T:
        """What the next keyword stands for in ``table``."""
        token = self.token
        if token.kind is not TokenKind.NAME or token.text not in table:
            raise self.expected(f"{what} ({', '.join(table)})")
        return table[self.take().text]

    def at_number(self) -> bool:
        token = self.ahead() if self.at("-") else self.token
        special = token.kind is TokenKind.NAME and token.text in _SPECIAL
        return special or token.kind in (TokenKind.INT, TokenKind.FLOAT)

    def number(self) -> int | float:
        """An int, or a float by its point or exponent or as ``inf`` or ``nan``."""
        if not self.at_number():
            raise self.expected("a number")
        negative = self.accept("-")
        token = self.take()
        value: int | float
        if token.kind is TokenKind.INT:
            try:
                value = int(token.text)
            except ValueError as error:
                raise self.error("the integer is too long", at=token) from error
        else:
            value = _SPECIAL[token.text] if token.text in _SPECIAL else float(token.text)
        return -value if negative else value

    def integer(self) -> int:
        token = self.token
        value = self.number()
        if isinstance(value, float):
            raise self.error("expected an integer", at=token)
        return value

    def listed(self, close: str, item: Callable[[], _T]) -> Iterator[_T]:
        """Items between commas up to the mark ``close``; a comma may follow the last."""
        while not self.accept(close):
            yield item()
            if not self.accept(","):
                self.expect(close)
                return

    # Literals, by the type that their place has

    def literal(self, hint: Any) -> Any:
        """A literal of the type ``hint``: what ``syntax.literal`` prints."""
        origin = get_origin(hint)
        if origin in (Union, types.UnionType):
            return self._alternative(get_args(hint))
        if origin is tuple:
            return self._tuple(get_args(hint))
        if hint is bool:
            return self.word({"True": True, "False": False}, "a bool")
        if hint is int:
            return self.integer()
        if hint is float:
            return self.number()
        if hint is str:
            return self.string()
        if isinstance(hint, type) and issubclass(hint, Enum):
            return self.word(hint.__members__, f"a {hint.__name__}")
        assert is_dataclass(hint) and isinstance(hint, type), f"{hint} has no text form"
        return hint(**self.attributes(hint))

    def _alternative(self, hints: tuple[Any, ...]) -> Any:
        """The first of ``hints`` that fits; the error of the last where none does."""
        if type(None) in hints and self.accept("None"):
            return None
        *firsts, last = (h for h in hints if h is not type(None))
        start = self._next
        for hint in firsts:
            try:
                return self.literal(hint)
            except ParseError:
                self._next = start
        return self.literal(last)

    def _tuple(self, hints: tuple[Any, ...]) -> tuple[Any, ...]:
        token = self.expect("(")
        if hints[1:] == (Ellipsis,):
            return tuple(self.listed(")", lambda: self.literal(hints[0])))
        remaining = iter(hints)

        def item() -> Any:
            hint = next(remaining, None)
            if hint is None:
                raise self.error(f"expected {len(hints)} items")
            return self.literal(hint)

        items = tuple(self.listed(")", item))
        if len(items) != len(hints):
            raise self.error(f"expected {len(hints)} items, found {len(items)}", at=token)
        return items

    def attributes(
        self, cls: type[Any], without: Collection[str] = (), optional: Collection[str] = ()
    ) -> dict[str, Any]:
        """Fields of ``cls`` as ``{name=literal, ...}``; ``without`` are given elsewhere. The whole
        may be missing where every other field has a default or is in ``optional``."""
        if cls not in self._hints:
            hints = get_type_hints(cls)
            self._hints[cls] = {f.name: hints[f.name] for f in fields(cls)}
        known = {n: h for n, h in self._hints[cls].items() if n not in without}
        found: dict[str, Any] = {}
        start = self.token
        if self.accept("{"):
            for field, value in self.listed("}", lambda: self._attribute(known, found)):
                found[field] = value
        for f in fields(cls):
            required = f.default is MISSING and f.name in known and f.name not in optional
            if required and f.name not in found:
                raise self.error(f"{cls.__name__} lacks `{f.name}`", at=start)
        return found

    def _attribute(self, known: Mapping[str, Any], found: Collection[str]) -> tuple[str, Any]:
        token = self.token
        if token.kind is not TokenKind.NAME:
            raise self.expected("an attribute")
        if token.text not in known:
            raise self.unknown("attribute", token.text, known)
        if token.text in found:
            raise self.error(f"attribute `{token.text}` is given twice")
        self.take()
        self.expect("=")
        return token.text, self.literal(known[token.text])

    def unknown(
        self, what: str, given: str, known: Iterable[str], at: Token | None = None
    ) -> ParseError:
        """The error that no ``what`` is called ``given``."""
        names = sorted(known)
        near = difflib.get_close_matches(given, names, 1)
        remedy = f"did you mean `{near[0]}`?" if near else f"known are {', '.join(names) or 'none'}"
        return self.error(f"there is no {what} `{given}`", remedy, at)

    # Types and contents

    def dtype(self) -> DType:
        return self.word(DTYPES, "an element type")

    def shaped(self) -> TensorType:
        """``dtype[shape]``."""
        dtype = self.dtype()
        self.expect("[")
        return TensorType(tuple(self.listed("]", self.integer)), dtype)

    def type(self) -> TensorType:
        """``dtype[shape]``, with ``<scale:zero_point>`` or ``<#number>`` where quantized."""
        plain = self.shaped()
        if not self.accept("<"):
            return plain
        if self.accept("#"):
            token = self.token
            known = self.quantizations.get(self.integer())
            if known is None:
                raise self.error(f"there is no quantization #{token.text}", at=token)
            quantization = known
        else:
            scale = self.number()
            self.expect(":")
            quantization = Quantization((scale,), (self.integer(),))
        self.expect(">")
        return TensorType(plain.shape, plain.dtype, quantization)

    def data(self, like: TensorType | None = None) -> Data:
        """Contents, after their type where that is not ``like``'s shape and element type."""
        given = like is None or (self.token.kind is TokenKind.NAME and self.token.text in DTYPES)
        type_ = self.shaped() if given else like
        assert type_ is not None, "given where there is no other"
        if given:
            self.expect("=")
        token = self.token
        try:
            if self.accept("hex"):
                raw = bytes.fromhex(self.string())
            elif self.accept("base64"):
                self.expect("{")
                lines = []
                while not self.accept("}"):
                    lines.append(self.string())
                raw = base64.b64decode("".join(lines), validate=True)
            else:
                raise self.expected("contents as `hex` or `base64`")
        except (ValueError, binascii.Error) as error:
            raise self.error("the contents are damaged", at=token) from error
        return Data(type_.shape, type_.dtype, raw)
