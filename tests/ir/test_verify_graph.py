"""Rules of graphs, each broken once."""

from dataclasses import replace

import pytest

from aot.ir.graph import Call, Constant, Port, Value
from aot.ir.op import CallPrim, TypeRuleError
from aot.ir.types import Data, DType, TensorType
from aot.ir.verify_errors import (
    ConstantDataError,
    DuplicateNameError,
    OperandTypeError,
    UndefinedError,
)
from aot.ir.verify_graph import verify_graph

from . import modules

Y = TensorType((1, 4), DType.INT8)
GRAPH = modules.graph().graph
(CALL,) = GRAPH.calls
(WEIGHTS,) = GRAPH.constants
X = GRAPH.params[0].value
CALLED = modules.called().graph
FUNCTIONS = {"blend_0": modules.kernel()}


def test_these_graphs_keep_every_rule():
    verify_graph(GRAPH, {})
    verify_graph(CALLED, FUNCTIONS)


def test_an_operator_may_leave_its_results_open():
    call = replace(CALL, op=modules.Shapeless(1))
    verify_graph(replace(GRAPH, calls=(call,)), {})


def test_a_value_may_be_a_result_twice():
    verify_graph(replace(GRAPH, results=(*GRAPH.results, *GRAPH.results)), {})


def calls(*calls):
    return replace(GRAPH, calls=calls)


def after(value):
    """A second call, that uses ``value``."""
    return Call(modules.Blend(), (value,), (Value("z", value.type),), "BLEND #1")


def with_data(data):
    return replace(GRAPH, constants=(Constant(WEIGHTS.value, data),))


@pytest.mark.parametrize(
    ("graph", "error", "message"),
    [
        (
            replace(GRAPH, params=(*GRAPH.params, *GRAPH.params)),
            DuplicateNameError,
            "parameters of main: value `serving/x:0` is defined twice",
        ),
        (
            calls(CALL, replace(CALL, origin="BLEND #1")),
            DuplicateNameError,
            "BLEND #1: value `y` is defined twice",
        ),
        (
            replace(GRAPH, constants=(WEIGHTS, replace(WEIGHTS, value=X))),
            DuplicateNameError,
            "constant `serving/x:0`: value `serving/x:0` is defined twice",
        ),
        (
            calls(after(Value("y", Y)), CALL),
            UndefinedError,
            "BLEND #1: value `y` is used before its definition",
        ),
        (
            calls(replace(CALL, inputs=(X, CALL.outputs[0]))),
            UndefinedError,
            "BLEND #0: value `y` is used before its definition",
        ),
        (
            replace(GRAPH, results=(Port("z", Value("z", Y)),)),
            UndefinedError,
            "results of main: value `z` is used before its definition",
        ),
        (
            calls(CALL, after(Value("y", TensorType((4,), DType.INT8)))),
            OperandTypeError,
            "BLEND #1: value `y` is used with another type",
        ),
        (
            with_data(Data.of([1, 2, 3, 4], DType.INT8)),
            ConstantDataError,
            "constant `w`: holds int8[4], not int8[1, 4]",
        ),
        (
            with_data(Data((1, 4), DType.INT8, b"123")),
            ConstantDataError,
            "constant `w`: has 3 bytes of 4",
        ),
        (
            calls(replace(CALL, outputs=(Value("y", TensorType((2, 2), DType.INT8)),))),
            OperandTypeError,
            "BLEND #0: results are (int8[2, 2]), but follow as (int8[1, 4])",
        ),
        (
            calls(replace(CALL, outputs=(*CALL.outputs, Value("z", Y)))),
            OperandTypeError,
            "results are (int8[1, 4], int8[1, 4]), but follow as (int8[1, 4])",
        ),
    ],
)
def test_a_broken_rule(graph, error, message):
    with pytest.raises(error) as caught:
        verify_graph(graph, {})
    assert message in str(caught.value)


def test_an_operator_that_refuses_its_operands_is_the_cause():
    odd = Constant(Value("odd", TensorType((4,), DType.INT8)), Data((4,), DType.INT8, b"1234"))
    graph = replace(GRAPH, constants=(odd,), calls=(replace(CALL, inputs=(X, odd.value, None)),))
    with pytest.raises(OperandTypeError, match="BLEND #0: operands of different types") as caught:
        verify_graph(graph, {})
    assert isinstance(caught.value.__cause__, TypeRuleError)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"op": CallPrim("lost")}, UndefinedError, "there is no function `lost`"),
        (
            {"inputs": CALLED.calls[0].inputs[:1]},
            OperandTypeError,
            "passes (int8[1, 4], int8[4]) to `blend_0`, which takes (int8[4], int8[4], int8[4])",
        ),
        (
            {"outputs": (Value("y", TensorType((5,), DType.INT8)),)},
            OperandTypeError,
            "passes (int8[1, 4], int8[4], int8[5]) to `blend_0`",
        ),
        (
            {"outputs": (Value("y", TensorType((4,), DType.UINT8)),)},
            OperandTypeError,
            "passes (int8[1, 4], int8[4], uint8[4]) to `blend_0`",
        ),
    ],
)
def test_a_call_that_does_not_fit_its_function(change, error, message):
    call = replace(CALLED.calls[0], **change)
    with pytest.raises(error) as caught:
        verify_graph(replace(CALLED, calls=(call,), results=()), FUNCTIONS)
    assert message in str(caught.value)
