"""C identifiers from the names that models use."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

# C23 section 6.4.1 and C++20 [lex.key], [lex.digraph]; `main`; and the names without an underscore
# that standard headers and GNU C's predefined macros may replace.
_RESERVED = frozenset(
    """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char class co_await
    co_return co_yield compl concept const const_cast consteval constexpr constinit continue
    decltype default delete do double dynamic_cast else enum explicit export extern false final
    float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr
    operator or or_eq override private protected public register reinterpret_cast requires
    restrict return short signed sizeof static static_assert static_cast struct switch template
    this thread_local throw true try typedef typeid typename typeof typeof_unqual union unsigned
    using virtual void volatile while xor xor_eq
    main memcpy memmove memset memcmp
    EOF I NULL assert complex errno imaginary noreturn offsetof stderr stdin stdout
    i386 linux unix
    """.split()
)

# C99 section 5.2.4.1 promises 63 significant characters; the rest is for prefixes.
_LONGEST = 48


def identifier(name: str, fallback: str) -> str:
    """``name`` as an identifier of C and C++: ASCII letters, digits and single underscores.

    ``fallback`` stands in where nothing of the name is left. Of a long name, words at the
    beginning and at the end remain.
    """
    plain = re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_") or fallback
    if plain[0].isdigit():
        plain = f"{fallback}_{plain}"
    if len(plain) > _LONGEST:
        head, tail = plain[: _LONGEST // 2], plain[1 - _LONGEST // 2 :]
        plain = f"{head.rpartition('_')[0] or head}_{tail.partition('_')[2] or tail}"
    # POSIX keeps names that end in _t for types, as <stdint.h> does.
    return f"{plain}_" if plain in _RESERVED or plain.endswith("_t") else plain


# C99 section 7.1.2, and the header by which the firmware knows models.
_HEADERS = frozenset(
    """
    assert complex ctype errno fenv float inttypes iso646 limits locale math model setjmp signal
    stdarg stdbool stddef stdint stdio stdlib string tgmath time wchar wctype
    """.split()
)


def module_name(name: str) -> str:
    """``name`` as the prefix of a model's symbols and files, none of which hides a header that
    generated code includes."""
    plain = identifier(name, "model")
    return f"{plain}_net" if plain.lower() in _HEADERS else plain


def unique_identifiers(
    names: Sequence[str], fallback: str, taken: Collection[str] = ()
) -> tuple[str, ...]:
    """An identifier per name, no two alike, nor like one of ``taken``, whatever the case.

    Macros are made of the upper-cased identifiers. A clash is resolved by a number in the order
    of ``names``.
    """
    used = {t.upper() for t in taken}
    numbers: dict[str, int] = {}
    found = []
    for name in names:
        base = candidate = identifier(name, fallback)
        while candidate.upper() in used:
            number = numbers[base.upper()] = numbers.get(base.upper(), 1) + 1
            candidate = f"{base.rstrip('_')}_{number}"
        used.add(candidate.upper())
        found.append(candidate)
    return tuple(found)
