"""Tokens and their places."""

import pytest

from aot.ir.lexer import ParseError, Token, TokenKind, error_at, tokenize


def words(text):
    return [(t.kind.name, t.text) for t in tokenize(text)[:-1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a_1 for", [("NAME", "a_1"), ("NAME", "for")]),
        ("0 .. 10", [("INT", "0"), ("MARK", ".."), ("INT", "10")]),
        ("0..10", [("INT", "0"), ("MARK", ".."), ("INT", "10")]),
        ("0.5 1e-05 1.5e+20", [("FLOAT", "0.5"), ("FLOAT", "1e-05"), ("FLOAT", "1.5e+20")]),
        ("-1", [("MARK", "-"), ("INT", "1")]),
        ("a<<b<=c", [("NAME", "a"), ("MARK", "<<"), ("NAME", "b"), ("MARK", "<="), ("NAME", "c")]),
        (r'"a \"b\" // c"', [("STRING", r'"a \"b\" // c"')]),
        ("a // b\nc", [("NAME", "a"), ("NAME", "c")]),
        ("a / b", [("NAME", "a"), ("MARK", "/"), ("NAME", "b")]),
    ],
)
def test_tokens(text, expected):
    assert words(text) == expected


def test_tokens_know_where_they_start_and_the_end_comes_last():
    assert tokenize(" ab\n c")[1:] == [
        Token(TokenKind.NAME, "c", 5),
        Token(TokenKind.END, "", 6),
    ]


@pytest.mark.parametrize(
    ("text", "where", "why"),
    [
        ("a\n  $", "line 2, column 3", "a stray character: `$`"),
        ("größe", "line 1, column 3", "a stray character: `ö`"),
        ('a "b\n"', "line 1, column 3", "the string does not end"),
    ],
)
def test_stray_characters_are_refused(text, where, why):
    with pytest.raises(ParseError) as caught:
        tokenize(text)
    assert caught.value.where == where
    assert why in caught.value.why


def test_lines_and_columns_start_at_one():
    text = "ab\n\ncd"
    assert [error_at(text, i, "").where for i in (0, 2, 3, 5)] == [
        "line 1, column 1",
        "line 1, column 3",
        "line 2, column 1",
        "line 3, column 2",
    ]
