"""Rules of the graph level: SSA, types that follow from operands, calls that match callees."""

from __future__ import annotations

from collections.abc import Mapping

from aot.ir.graph import Call, GraphFunction, Value
from aot.ir.op import CallPrim, TypeRuleError
from aot.ir.tir import ParamRole, PrimFunc
from aot.ir.types import TensorType
from aot.ir.verify_errors import (
    ConstantDataError,
    DuplicateNameError,
    OperandTypeError,
    UndefinedError,
)


def verify_graph(graph: GraphFunction, functions: Mapping[str, PrimFunc]) -> None:
    """Raises a VerificationError where ``graph`` breaks a rule; ``functions`` are its callees."""
    defined: dict[str, Value] = {}

    def define(value: Value, where: str) -> None:
        if value.name in defined:
            raise DuplicateNameError(f"value `{value.name}` is defined twice", where=where)
        defined[value.name] = value

    def use(value: Value, where: str) -> None:
        if value.name not in defined:
            raise UndefinedError(f"value `{value.name}` is used before its definition", where=where)
        if defined[value.name] != value:
            raise OperandTypeError(f"value `{value.name}` is used with another type", where=where)

    for port in graph.params:
        define(port.value, f"parameters of {graph.name}")
    for constant in graph.constants:
        where = f"constant `{constant.value.name}`"
        define(constant.value, where)
        data, type_ = constant.data, constant.value.type
        if (data.shape, data.dtype) != (type_.shape, type_.dtype):
            raise ConstantDataError(f"holds {_text(data.type)}, not {_text(type_)}", where=where)
        if len(data.raw) != type_.bytes:
            raise ConstantDataError(f"has {len(data.raw)} bytes of {type_.bytes}", where=where)
    for call in graph.calls:
        where = call.origin or call.op.name
        for value in call.operands:
            use(value, where)
        for value in call.outputs:
            define(value, where)
        if isinstance(call.op, CallPrim):
            _check_callee(call, call.op, functions, where)
        else:
            _check_types(call, where)
    for port in graph.results:
        use(port.value, f"results of {graph.name}")


def _check_types(call: Call, where: str) -> None:
    try:
        inferred = call.op.infer(tuple(None if v is None else v.type for v in call.inputs))
    except TypeRuleError as error:
        raise OperandTypeError(error.why, where=where) from error
    if inferred is None:
        return
    actual = tuple(v.type.plain() for v in call.outputs)
    if tuple(t.plain() for t in inferred) != actual:
        raise OperandTypeError(
            f"results are {_texts(actual)}, but follow as {_texts(inferred)}", where=where
        )


def _check_callee(call: Call, op: CallPrim, functions: Mapping[str, PrimFunc], where: str) -> None:
    callee = functions.get(op.function)
    if callee is None:
        raise UndefinedError(f"there is no function `{op.function}`", where=where)
    inputs = callee.buffers(ParamRole.INPUT, ParamRole.CONSTANT)
    outputs = callee.buffers(ParamRole.OUTPUT)
    expected = [b.type for b in (*inputs, *outputs)]
    actual = [v.type for v in (*call.operands, *call.outputs)]
    if [_layout(t) for t in expected] != [_layout(t) for t in actual]:
        raise OperandTypeError(
            f"passes {_texts(actual)} to `{op.function}`, which takes {_texts(expected)}",
            where=where,
        )


def _layout(type_: TensorType) -> tuple[str, int]:
    """What a buffer must agree in to be shared: element type and count."""
    return type_.dtype.value, type_.elements


def _text(type_: TensorType) -> str:
    return f"{type_.dtype.value}{list(type_.shape)}"


def _texts(types: tuple[TensorType, ...] | list[TensorType]) -> str:
    return f"({', '.join(map(_text, types))})"
