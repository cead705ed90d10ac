"""Reads a .tflite file into an IRModule of stage GRAPH."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import tflite

from aot.frontend.errors import MalformedModelError, UnsupportedModelError
from aot.frontend.flatbuffer import Flatbuffer, damage_reported, options_table, text
from aot.frontend.tensors import TensorReader
from aot.ir.graph import Call, Constant, GraphFunction, Port, Value
from aot.ir.module import IRModule
from aot.ir.op import TypeRuleError
from aot.ir.target import Target
from aot.ir.types import DType, TensorType
from aot.ops.base import TfliteOp
from aot.ops.node import Node, Tensor

_OPERATOR_NAMES = {
    value: name for name, value in vars(tflite.BuiltinOperator).items() if isinstance(value, int)
}
_OPTIONS_NAMES = {
    value: name for name, value in vars(tflite.BuiltinOptions).items() if isinstance(value, int)
}


def read_tflite(
    raw: bytes, name: str, target: Target, operators: Mapping[str, type[TfliteOp]]
) -> IRModule:
    """The first subgraph of the file ``raw`` as module ``name`` with the entry ``main``.

    Raises MalformedModelError at the first rule of the format that the file breaks, and
    UnsupportedModelError with everything that is not supported otherwise.
    """
    with damage_reported():
        return _Reader(Flatbuffer(raw), operators).module(name, target)


_UNKNOWN = Value("", TensorType((), DType.BOOL))
"""Stands for the value of a tensor that is defined but not supported."""


@dataclass(frozen=True)
class _OperatorCode:
    name: str
    version: int


class _Reader:
    """One pass over the operators, in the file's order, which is the order of execution."""

    def __init__(self, flatbuffer: Flatbuffer, operators: Mapping[str, type[TfliteOp]]) -> None:
        self._flatbuffer = flatbuffer
        self._operators = operators
        self._model = flatbuffer.model()
        if self._model.SubgraphsLength() < 1:
            raise MalformedModelError("the file has no subgraph")
        self._subgraph = self._model.Subgraphs(0)
        vector = flatbuffer.vector
        self._codes = vector(
            self._model.OperatorCodesLength(), self._operator_code, "the operator codes"
        )
        tables = vector(self._subgraph.TensorsLength(), self._subgraph.Tensors, "the tensors")
        self._tensors = TensorReader(flatbuffer, self._model, tables)
        self._problems: list[str] = self._tensors.problems
        self._values: dict[int, Value] = {}
        self._constants: dict[int, Constant] = {}
        self._names: set[str] = set()
        self._mismatch: MalformedModelError | None = None

    def module(self, name: str, target: Target) -> IRModule:
        graph, vector = self._subgraph, self._flatbuffer.vector
        inputs = vector(graph.InputsLength(), graph.Inputs, "the inputs")
        outputs = vector(graph.OutputsLength(), graph.Outputs, "the outputs")
        if not outputs:
            raise MalformedModelError("the model has no output")
        for index in inputs:
            self._define(int(index), "the model's inputs")
        operators = vector(graph.OperatorsLength(), graph.Operators, "the operators")
        calls = [call for i, op in enumerate(operators) if (call := self._call(i, op))]
        results = [self._use(int(index), "the model's outputs") for index in outputs]
        if self._problems:
            raise UnsupportedModelError(tuple(dict.fromkeys(self._problems)))
        if self._mismatch is not None:
            raise self._mismatch
        names = self._signature_names()
        main = GraphFunction(
            "main",
            self._ports(inputs, [self._values[int(i)] for i in inputs], names[0]),
            tuple(self._constants[i] for i in sorted(self._constants)),
            tuple(calls),
            self._ports(outputs, [v for v in results if v is not None], names[1]),
        )
        return IRModule(name, (main,), "main", target)

    def _ports(
        self, indices: tuple[Any, ...], values: list[Value], names: dict[int, list[str]]
    ) -> tuple[Port, ...]:
        """The interface under the signature's names, else under the tensors' own."""
        ports = []
        for index, value in zip(indices, values, strict=True):
            listed = names.get(int(index))
            ports.append(Port(listed.pop(0) if listed else self._tensors.name(index), value))
        return tuple(ports)

    def _signature_names(self) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
        """Names of inputs and outputs by tensor index, from the first signature of subgraph 0."""
        vector, model = self._flatbuffer.vector, self._model
        for signature in vector(model.SignatureDefsLength(), model.SignatureDefs, "signatures"):
            if signature.SubgraphIndex() != 0:
                continue
            named: tuple[dict[int, list[str]], dict[int, list[str]]] = ({}, {})
            maps = (
                vector(signature.InputsLength(), signature.Inputs, "a signature"),
                vector(signature.OutputsLength(), signature.Outputs, "a signature"),
            )
            for names, entries in zip(named, maps, strict=True):
                for entry in entries:
                    names.setdefault(entry.TensorIndex(), []).append(text(entry.Name()))
            return named
        return {}, {}

    def _operator_code(self, index: int) -> _OperatorCode:
        code = self._model.OperatorCodes(index)
        # Codes above 127 live in the newer field, older writers fill only the deprecated one.
        builtin = max(code.BuiltinCode(), code.DeprecatedBuiltinCode())
        if builtin == tflite.BuiltinOperator.CUSTOM:
            return _OperatorCode(f"CUSTOM:{text(code.CustomCode())}", code.Version())
        return _OperatorCode(_OPERATOR_NAMES.get(builtin, f"BUILTIN_{builtin}"), code.Version())

    def _define(self, index: int, where: str) -> Value | None:
        """A tensor that gets its value here: by the caller or by an operator."""
        tensor = self._tensors.tensor(index, where)
        name = self._tensors.name(index)
        if self._tensors.is_constant(index):
            raise MalformedModelError(f"writes tensor `{name}`, which is constant", where=where)
        if index in self._values:
            raise MalformedModelError(
                f"writes tensor `{name}`, which already has a value", where=where
            )
        if tensor is not None:
            self._refuse_empty(tensor)
        return self._value(index, tensor)

    def _refuse_empty(self, tensor: Tensor) -> None:
        if tensor.type.elements == 0:
            shape = list(tensor.type.shape)
            self._problems.append(f"tensor `{tensor.name}`: no elements (shape {shape})")

    def _value(self, index: int, tensor: Tensor | None) -> Value | None:
        name, number = self._tensors.name(index), 2
        unique = name
        while unique in self._names:
            unique, number = f"{name}#{number}", number + 1
        self._names.add(unique)
        if tensor is None:
            # Defined, though nothing can be said of it: later readers are not to blame.
            self._values[index] = _UNKNOWN
            return None
        self._values[index] = Value(unique, tensor.type)
        return self._values[index]

    def _use(self, index: int, where: str) -> Value | None:
        """A tensor that is read here; None where it is not supported."""
        tensor = self._tensors.tensor(index, where)
        if index not in self._values:
            name = self._tensors.name(index)
            if tensor is None:
                return None
            if tensor.data is None:
                raise MalformedModelError(
                    f"reads tensor `{name}` before anything writes it", where=where
                )
            value = self._value(index, tensor)
            assert value is not None, "the tensor is supported"
            self._constants[index] = Constant(value, tensor.data)
        value = self._values[index]
        return None if value is _UNKNOWN else value

    def _call(self, index: int, table: Any) -> Call | None:
        """Operator ``index`` as a call; None, with its problems noted, where it has any."""
        if not 0 <= table.OpcodeIndex() < len(self._codes):
            raise MalformedModelError(
                f"refers to operator code {table.OpcodeIndex()}", where=f"operator #{index}"
            )
        code = self._codes[table.OpcodeIndex()]
        where, vector = f"{code.name} #{index}", self._flatbuffer.vector
        inputs = [int(i) for i in vector(table.InputsLength(), table.Inputs, where)]
        outputs = [int(i) for i in vector(table.OutputsLength(), table.Outputs, where)]
        operands = [None if i == -1 else self._use(i, where) for i in inputs]
        results = [self._define(i, where) for i in outputs]
        tensors = tuple(None if i == -1 else self._tensors.tensor(i, where) for i in inputs)
        written = tuple(self._tensors.tensor(i, where) for i in outputs)
        kind = self._operators.get(code.name)
        if kind is None:
            self._problems.append(f"{where}: operator (version {code.version})")
            return None
        known = all(i == -1 or t is not None for i, t in zip(inputs, tensors, strict=True))
        if not known or not all(written):
            return None
        node = Node(
            index,
            code.name,
            code.version,
            tensors,
            tuple(t for t in written if t is not None),
            self._options(kind, table),
        )
        problems = _refusals(kind, node)
        if problems:
            self._problems += [f"{where}: {p}" for p in problems]
            return None
        op, kept = kind.read(node)
        for tensor in (node.input(i) for i in kept):
            if tensor is not None:
                self._refuse_empty(tensor)
        call = Call(
            op,
            tuple(operands[i] for i in kept if i < len(operands)),
            tuple(v for v in results if v is not None),
            where,
        )
        self._check_types(call)
        return call

    def _options(self, kind: type[TfliteOp], table: Any) -> Any:
        if not kind.options_type:
            return None
        # Some converters leave another operator's table behind; the reference ignores it too.
        stored = _OPTIONS_NAMES.get(table.BuiltinOptionsType())
        own = stored == kind.options_type
        return options_table(kind.options_type, table.BuiltinOptions() if own else None)

    def _check_types(self, call: Call) -> None:
        """Notes the first call whose results do not follow from its operands.

        It is an error only where everything is supported: the shapes of a file with dynamic
        ones are stand-ins.
        """
        why = None
        try:
            inferred = call.op.infer(tuple(None if v is None else v.type for v in call.inputs))
        except TypeRuleError as error:
            inferred, why = (), str(error)
        for value, expected in zip(call.outputs, inferred or (), strict=False):
            if value.type.plain() != expected.plain():
                why = (
                    f"result `{value.name}` is {value.type.dtype.value}{list(value.type.shape)}, "
                    f"but follows as {expected.dtype.value}{list(expected.shape)}"
                )
        if why is not None and self._mismatch is None:
            self._mismatch = MalformedModelError(why, where=call.origin)


def _refusals(kind: type[TfliteOp], node: Node) -> list[str]:
    """Everything that keeps ``kind`` from taking ``node``, each a message."""
    low, high = kind.versions
    if not low <= node.version <= high:
        return [f"version {node.version}; versions {low} to {high} are supported"]
    if not any(s.accepts(node) for s in kind.signatures):
        offered = ", ".join(str(s) for s in kind.signatures)
        return [f"types {_types(node)}; supported are {offered}"]
    return [c.__doc__ or "" for c in kind.constraints if not c(node)]


def _types(node: Node) -> str:
    inputs = ", ".join("-" if t is None else t.type.dtype.value for t in node.inputs)
    return f"({inputs}) -> {', '.join(t.type.dtype.value for t in node.outputs)}"
