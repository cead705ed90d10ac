"""Reads a module from the text that ``aot.ir.printer`` prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from aot.ir.cursor import Cursor
from aot.ir.graph import Call, Constant, GraphFunction, Port, Value
from aot.ir.lexer import ParseError, TokenKind
from aot.ir.module import Function, IRModule, PoolImage, Stage
from aot.ir.op import Op
from aot.ir.parse_tir import parse_prim_func
from aot.ir.pools import Assignment, BufferKey, MemoryPlan, Pool, PoolUse
from aot.ir.target import Target
from aot.ir.types import Quantization

__all__ = ["ParseError", "parse_module"]

_STAGES = {s.value: s for s in Stage}
_T = TypeVar("_T")


def parse_module(text: str, ops: Mapping[str, type[Op]]) -> IRModule:
    """The module that ``text`` describes; ``ops`` are the operators by their word in it.

    Raises ParseError with the line and column of what does not belong.
    """
    cursor = Cursor(text)
    try:
        return _ModuleParser(cursor, ops).module()
    except RecursionError as error:
        raise cursor.error("nested too deeply") from error


class _ModuleParser:
    def __init__(self, cursor: Cursor, ops: Mapping[str, type[Op]]) -> None:
        self._cursor = cursor
        self._ops = ops

    def module(self) -> IRModule:
        cursor = self._cursor
        cursor.expect("module")
        name = cursor.name("the module's name")
        cursor.expect("entry")
        entry = cursor.name("a function")
        cursor.expect("stage")
        stage = cursor.word(_STAGES, "a stage")
        cursor.expect("target")
        target = self._record(Target)
        pools = []
        while cursor.accept("pool"):
            pool = cursor.name("a pool")
            pools.append(Pool(pool, **cursor.attributes(Pool, without=("name",))))
        plan = self._plan() if cursor.at("plan") else None
        while cursor.accept("#"):
            key = cursor.integer()
            cursor.expect("=")
            cursor.quantizations[key] = self._record(Quantization)
        functions: list[Function] = []
        while cursor.at("graph", "func"):
            graph = cursor.at("graph")
            functions.append(self._graph() if graph else parse_prim_func(cursor, target))
        images: tuple[PoolImage, ...] = ()
        while cursor.at("image"):
            images = (*images, self._image())
        if cursor.token.kind is not TokenKind.END:
            raise cursor.expected("a function, an image or the end")
        return IRModule(
            name, tuple(functions), entry, target, stage, tuple(pools), plan, (*images,)
        )

    def _record(self, cls: type[_T]) -> _T:
        fields: dict[str, Any] = self._cursor.attributes(cls)
        return cls(**fields)

    def _plan(self) -> MemoryPlan:
        cursor = self._cursor
        cursor.expect("plan")
        algorithm = cursor.name("an algorithm")
        cursor.expect("{")
        assignments, used = [], []
        while not cursor.accept("}"):
            if cursor.accept("used"):
                pool = cursor.name("a pool")
                used.append(PoolUse(pool, self._bytes()))
            else:
                key = self._key()
                size = self._bytes()
                pool, offset = self._place()
                assignments.append(Assignment(key, pool, offset, size))
        return MemoryPlan(algorithm, tuple(assignments), tuple(used))

    def _key(self) -> BufferKey:
        function = self._cursor.name("a function")
        self._cursor.expect("/")
        return BufferKey(function, self._cursor.name("a buffer"))

    def _bytes(self) -> int:
        self._cursor.expect(":")
        size = self._cursor.integer()
        self._cursor.expect("bytes")
        return size

    def _place(self) -> tuple[str, int]:
        self._cursor.expect("at")
        pool = self._cursor.name("a pool")
        self._cursor.expect("+")
        return pool, self._cursor.integer()

    def _image(self) -> PoolImage:
        self._cursor.expect("image")
        key = self._key()
        pool, offset = self._place()
        self._cursor.expect(":")
        return PoolImage(key, pool, offset, self._cursor.data())

    def _graph(self) -> GraphFunction:
        cursor = self._cursor
        cursor.expect("graph")
        name = cursor.name("a function")
        cursor.expect("{")
        values = _Values(cursor)
        params, constants, calls, results = [], [], [], []
        while self._accept_port("input"):
            params.append(self._port(values.define()))
        while cursor.accept("constant"):
            value = values.define()
            cursor.expect("=")
            constants.append(Constant(value, cursor.data(value.type)))
        while not cursor.at("}"):
            if self._accept_port("output"):
                results.append(self._port(values.use()))
            elif results:
                raise cursor.expected("`output` or `}`")
            else:
                calls.append(self._call(values))
        cursor.expect("}")
        return GraphFunction(name, tuple(params), tuple(constants), tuple(calls), tuple(results))

    def _accept_port(self, word: str) -> bool:
        """Takes ``word`` where it is no value's name, which a colon follows."""
        return self._cursor.ahead().text != ":" and self._cursor.accept(word)

    def _port(self, value: Value) -> Port:
        return Port(self._cursor.string() if self._cursor.accept("as") else value.name, value)

    def _call(self, values: _Values) -> Call:
        """Operands are read after the results are, but mean what was defined before them."""
        cursor = self._cursor
        outputs: list[Value] = []
        if cursor.accept("("):
            cursor.expect(")")
            cursor.expect("=")
        else:
            outputs = list(cursor.listed("=", values.read))
        token = cursor.token
        word = cursor.name("an operator")
        if word not in self._ops:
            raise cursor.unknown("operator", word, self._ops, at=token)
        cursor.expect("(")
        inputs = tuple(cursor.listed(")", values.operand))
        for value in outputs:
            values.remember(value)
        op = self._ops[word](**cursor.attributes(self._ops[word]))
        return Call(op, inputs, tuple(outputs), cursor.string() if cursor.accept("from") else "")


class _Values:
    """The values of one graph by name."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._defined: dict[str, Value] = {}

    def read(self) -> Value:
        """``name: type``."""
        name = self._cursor.name("a value")
        self._cursor.expect(":")
        return Value(name, self._cursor.type())

    def remember(self, value: Value) -> Value:
        self._defined[value.name] = value
        return value

    def define(self) -> Value:
        """``name: type``, which the name means from here on."""
        return self.remember(self.read())

    def use(self) -> Value:
        """A defined value by its name, or any as ``(name: type)``."""
        token = self._cursor.token
        if self._cursor.accept("("):
            value = self.read()
            self._cursor.expect(")")
            return value
        name = self._cursor.name("a value")
        if name not in self._defined:
            raise self._cursor.error(f"value `{name}` is not defined", at=token)
        return self._defined[name]

    def operand(self) -> Value | None:
        """A value, or ``none`` for an operand that is absent."""
        return None if self._cursor.accept("none") else self.use()
