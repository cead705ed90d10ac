"""Identifiers from whatever models call their tensors."""

from __future__ import annotations

import re
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aot.names import identifier, module_name, unique_identifiers

# C99 section 6.4.1 and C++11 [lex.key], [lex.digraph], kept apart from the list under test.
C99_KEYWORDS = """
auto break case char const continue default do double else enum extern float for goto if inline int
long register restrict return short signed sizeof static struct switch typedef union unsigned void
volatile while
""".split()
CPP11_KEYWORDS = """
alignas alignof and and_eq asm bitand bitor bool catch char16_t char32_t class compl const_cast
constexpr decltype delete dynamic_cast explicit export false friend mutable namespace new noexcept
not not_eq nullptr operator or or_eq private protected public reinterpret_cast static_assert
static_cast template this thread_local throw true try typeid typename using virtual wchar_t xor
xor_eq
""".split()
NAMES = ["", "a_b", "a-b", "A_B", "a_b_2", "int", "Int", "éa", "数", "0", "x" * 300, "x" * 301]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("image", "image"),
        ("", "tensor"),
        ("   ", "tensor"),
        ("\0", "tensor"),
        ("___", "tensor"),
        ("数据", "tensor"),
        ("données", "donn_es"),
        ("serving_default_x:0_int8", "serving_default_x_0_int8"),
        ("model/conv;model/bias-1", "model_conv_model_bias_1"),
        ("index-x", "index_x"),
        ("index--x", "index_x"),
        ("_Complex", "Complex"),
        ("__file__", "file"),
        ("7", "tensor_7"),
        ("3x3 conv", "tensor_3x3_conv"),
        ("int", "int_"),
        ("class", "class_"),
        ("main", "main_"),
        ("size_t", "size_t_"),
        ("linux", "linux_"),
        ("errno", "errno_"),
        ("a" * 48, "a" * 48),
        ("first_word_" + "x" * 60 + "_last_multiplier", "first_word_last_multiplier"),
    ],
)
def test_identifier(name: str, expected: str):
    assert identifier(name, "tensor") == expected


@given(st.text())
def test_every_identifier_is_valid_and_stable(name: str):
    found = identifier(name, "tensor")
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*_?", found)
    assert len(found) <= 50
    assert identifier(found, "tensor") == found


@given(st.lists(st.text(max_size=8) | st.sampled_from(NAMES)), st.lists(st.sampled_from(NAMES)))
def test_unique_identifiers_differ_whatever_the_case(names: list[str], taken: list[str]):
    found = unique_identifiers(names, "tensor", taken)
    assert len(found) == len(names)
    upper = [f.upper() for f in found]
    assert len(set(upper)) == len(upper)
    assert not set(upper) & {t.upper() for t in taken}
    assert unique_identifiers(names, "tensor", taken) == found


def test_clashes_are_numbered_in_order():
    names = ["a_b", "a-b", "A/B", "int", "int", "a_b_2"]
    assert unique_identifiers(names, "t") == ("a_b", "a_b_2", "A_B_3", "int_", "int_2", "a_b_2_2")


def test_taken_names_are_left_alone():
    assert unique_identifiers(["ram", "RAM"], "pool", ["Ram"]) == ("ram_2", "RAM_3")


def test_compilers_accept_them(tmp_path: Path):
    names = [*C99_KEYWORDS, *CPP11_KEYWORDS, *NAMES, "errno", "assert", "NULL", "I", "unix"]
    members = "".join(f"  int {n};\n" for n in unique_identifiers(names, "tensor"))
    headers = "string.h stdint.h stddef.h errno.h assert.h stdio.h"
    includes = "".join(f"#include <{h}>\n" for h in headers.split())
    source = tmp_path / "names.c"
    source.write_text(f"{includes}struct all {{\n{members}}};\n")
    for command in (
        ["gcc", "-std=c99"],
        ["gcc", "-std=gnu11"],
        ["g++", "-x", "c++", "-std=c++11"],
        ["g++", "-x", "c++", "-std=gnu++20"],
    ):
        argv = [*command, "-pedantic", "-Werror", "-fsyntax-only", str(source)]
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_many_equal_names_take_linear_time():
    start = time.perf_counter()
    assert len(set(unique_identifiers(["same"] * 20000, "t"))) == 20000
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize(
    ("name", "expected"),
    [("kws", "kws"), ("string", "string_net"), ("Time", "Time_net"), ("model", "model_net")],
)
def test_no_module_hides_a_header(name, expected):
    assert module_name(name) == expected
