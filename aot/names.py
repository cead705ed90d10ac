"""C identifiers from the names that models use."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

# C99 section 6.4.1 and C++17 [lex.key], [lex.digraph]; `main` and the macros of <stdint.h> and
# <string.h> that look like names.
_RESERVED = frozenset(
    """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t
    class compl const const_cast constexpr continue decltype default delete do double
    dynamic_cast else enum explicit export extern false final float for friend goto if inline int
    long mutable namespace new noexcept not not_eq nullptr operator or or_eq override private
    protected public register reinterpret_cast restrict return short signed sizeof static
    static_assert static_cast struct switch template this thread_local throw true try typedef
    typeid typename typeof union unsigned using virtual void volatile wchar_t while xor xor_eq
    main memcpy memset memmove memcmp NULL
    """.split()
)


def identifier(name: str, fallback: str) -> str:
    """``name`` as an identifier of C99 and C++: ASCII letters, digits and single underscores.

    ``fallback`` stands in where nothing of the name is left.
    """
    plain = re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_") or fallback
    if plain[0].isdigit():
        plain = f"{fallback}_{plain}"
    # C99 section 7.26.8 and POSIX keep names that end in _t for types.
    return f"{plain}_" if plain in _RESERVED or plain.endswith("_t") else plain


def unique_identifiers(
    names: Sequence[str], fallback: str, taken: Collection[str] = ()
) -> tuple[str, ...]:
    """An identifier per name, no two alike, nor like one of ``taken``, whatever the case.

    Macros are made of the upper-cased identifiers. A clash is resolved by a number in the order
    of ``names``.
    """
    used = {t.upper() for t in taken}
    found = []
    for name in names:
        base = identifier(name, fallback)
        candidate, number = base, 2
        while candidate.upper() in used:
            candidate, number = f"{base.rstrip('_')}_{number}", number + 1
        used.add(candidate.upper())
        found.append(candidate)
    return tuple(found)
