"""Whatever the printer prints is read back as the same module; errors say where."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aot.ir.equality import difference
from aot.ir.parser import ParseError, parse_module
from aot.ir.printer import print_module

from . import modules
from .generated import modules as any_module

HEAD = 'module m\nentry main\nstage graph\ntarget {name="scalar"}\n'


def parse(text):
    return parse_module(text, modules.OPS)


@pytest.mark.parametrize("stage", ["graph", "called", "lowered", "planned"])
def test_reads_back_what_was_printed(stage):
    module = getattr(modules, stage)()
    assert parse(print_module(module)) == module


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(any_module)
def test_reads_back_any_module(module):
    text = print_module(module)
    again = parse(text)
    assert difference(again, module) is None
    assert print_module(again) == text


pieces = st.text('{}()[]<>:=-"a0 ', max_size=3)
cuts = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 9), pieces))


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(("graph", "called", "lowered", "planned")), cuts)
def test_a_damaged_text_is_refused_or_read(stage, cuts):
    text = print_module(getattr(modules, stage)())
    for place, length, instead in cuts:
        start = int(place * len(text))
        text = text[:start] + instead + text[start + length :]
    try:
        again = parse(text)
    except ParseError:
        return
    assert difference(parse(print_module(again)), again) is None


def test_layout_and_comments_do_not_matter():
    module = modules.planned()
    words = print_module(module).replace("\n", " // comment\n\t")
    assert parse(words) == module
    assert parse(" ".join(print_module(module).split("\n"))) == module


def test_an_attribute_left_out_has_its_default():
    text = HEAD + "graph main { input x: int8[1] y: int8[1] = blend(x) output y }"
    (call,) = parse(text).graph.calls
    assert call.op == modules.Blend()


def test_a_value_may_be_called_like_a_port():
    text = HEAD + (
        "graph main { input input: int8[1] output: int8[1] = blend(input) output output }"
    )
    graph = parse(text).graph
    assert [v.name for c in graph.calls for v in c.outputs] == ["output"]
    assert graph.results[0].value == graph.calls[0].outputs[0]


@pytest.mark.parametrize(
    ("text", "place", "why"),
    [
        ("", "line 1, column 1", "expected `module`, found the end of the text"),
        ("module m\nentry main\n  stage late", "line 3, column 9", "expected a stage"),
        (HEAD + "pool p {kind=HEAP}", "line 5, column 14", "expected a PoolKind"),
        (HEAD + "pool p {size_limit=1}", "line 5, column 8", "Pool lacks `kind`"),
        (HEAD + "pool p {kind=WORKSPACE, sise_limit=1}", "line 5, column 25", "`sise_limit`"),
        (HEAD + "plan p {\n  used ram: many bytes }", "line 6, column 13", "expected a number"),
        (HEAD + "graph g { input x: int8[1]<#4> }", "line 5, column 29", "no quantization #4"),
        (HEAD + "graph g { input x: int9[1] }", "line 5, column 20", "expected an element type"),
        (HEAD + "graph g { output y }", "line 5, column 18", "value `y` is not defined"),
        (HEAD + "graph g { y: int8[1] = bland() }", "line 5, column 24", "no operator `bland`"),
        (HEAD + "graph g { () = shapeless() }", "line 5, column 28", "Shapeless lacks `size`"),
        (
            HEAD + "graph g { () = shapeless() {size=0.5} }",
            "line 5, column 34",
            "expected an integer",
        ),
        (
            HEAD + "graph g { () = blend() {keep=True, keep=True} }",
            "line 5, column 36",
            "`keep` is given twice",
        ),
        (HEAD + 'graph g { constant w: int8[2] = hex "0g" }', "line 5, column 33", "damaged"),
        (
            HEAD + 'graph g { input x: int8[1] output x constant w: int8[1] = hex "00" }',
            "line 5, column 37",
            "expected `output` or `}`",
        ),
        (HEAD + "function f", "line 5, column 1", "expected a function, an image or the end"),
        (HEAD + "graph g {", "line 5, column 10", "found the end of the text"),
        (
            HEAD + "func f() { if " + "(" * 100_000,
            "line 5",
            "nested too deeply",
        ),
    ],
)
def test_an_error_says_where_and_why(text, place, why):
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert caught.value.where.startswith(place)
    assert why in caught.value.why


def test_a_misspelt_operator_gets_the_nearest_word():
    with pytest.raises(ParseError, match="did you mean `blend`"):
        parse(HEAD + "graph g { y: int8[1] = bland() }")
