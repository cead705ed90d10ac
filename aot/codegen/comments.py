"""Text from outside, such as tensor and file names, made harmless in generated files."""

from __future__ import annotations


def printable(text: str) -> str:
    """``text`` on one line and fit for UTF-8: what cannot be shown becomes ``?``."""
    return "".join(c if c.isprintable() else "?" for c in text)


def comment(text: str) -> str:
    """``text`` inside a C comment, which it neither ends nor nests nor continues."""
    # A backslash at the end, or its trigraph ??/, would join the next line.
    calm = printable(text).replace("\\", "/").replace("?/", "? /")
    return calm.replace("*/", "* /").replace("/*", "/ *")
