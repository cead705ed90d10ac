"""Small graphs of CallPrim and kernels for the tests of passes and analyses."""

from __future__ import annotations

import copy
from collections.abc import Sequence

from aot.ir.builder import BodyBuilder
from aot.ir.equality import difference
from aot.ir.expr import Buffer, Load, imm
from aot.ir.graph import Call, Constant, GraphFunction, Port, Value
from aot.ir.module import IRModule
from aot.ir.op import CallPrim
from aot.ir.pools import Pool, PoolKind
from aot.ir.target import Target
from aot.ir.tir import Allocate, ForKind, OperatorInfo, Param, ParamRole, PrimFunc
from aot.ir.types import Data, DType, TensorType
from aot.ir.verifier import verify
from aot.passes.base import ModulePass

SCALAR = Target("scalar")
RAM = Pool("ram", PoolKind.WORKSPACE)
FLASH = Pool("flash", PoolKind.CONSTANT, read_only=True)


def tensor(size: int, dtype: DType = DType.INT8) -> TensorType:
    return TensorType((size,), dtype)


def kernel(
    name: str,
    inputs: Sequence[int],
    output: int,
    *,
    constants: Sequence[int] = (),
    scratch: int = 0,
    parallel: int = 0,
    dtype: DType = DType.INT8,
    target: Target = SCALAR,
) -> PrimFunc:
    """Copies the first element of every operand; ``scratch`` bytes are its own, allocated inside
    a parallel loop of ``parallel`` turns where that is set."""
    k = BodyBuilder()
    sources = [Buffer(f"in{i}", tensor(n, dtype)) for i, n in enumerate(inputs)]
    weights = [Buffer(f"w{i}", tensor(n, dtype)) for i, n in enumerate(constants)]
    result = Buffer("out", tensor(output, dtype))
    own = Buffer("own", tensor(scratch))
    if scratch and parallel:
        with k.loop("p", 0, parallel, kind=ForKind.PARALLEL):
            k.emit(Allocate(own, 1))
            k.store(own, 0, 0)
    elif scratch:
        k.emit(Allocate(own, 1))
        k.store(own, 0, 0)
    for buffer in (*sources, *weights):
        k.store(result, 0, Load(buffer, imm(0)))
    if not sources and not weights:
        k.store(result, 0, 0)
    params = (
        *(Param(b.name, ParamRole.INPUT, b) for b in sources),
        *(Param(b.name, ParamRole.CONSTANT, b) for b in weights),
        Param("out", ParamRole.OUTPUT, result),
    )
    info = OperatorInfo(name.upper(), f"{name.upper()} #0", "loops", macs=output)
    return PrimFunc(name, params, k.body(), target, info=info)


class Graph:
    """Collects values, calls and kernels; a kernel is made for each call unless one is named."""

    def __init__(self, target: Target = SCALAR, pools: Sequence[Pool] = (RAM, FLASH)) -> None:
        self.target = target
        self.pools = tuple(pools)
        self.params: list[Port] = []
        self.constants: list[Constant] = []
        self.calls: list[Call] = []
        self.results: list[Port] = []
        self.kernels: list[PrimFunc] = []

    def input(self, name: str, size: int, dtype: DType = DType.INT8) -> Value:
        value = Value(name, tensor(size, dtype))
        self.params.append(Port(name, value))
        return value

    def constant(self, name: str, size: int) -> Value:
        value = Value(name, tensor(size))
        self.constants.append(Constant(value, Data.of([1] * size, DType.INT8)))
        return value

    def call(
        self,
        name: str,
        operands: Sequence[Value],
        size: int,
        *,
        kernel_name: str = "",
        scratch: int = 0,
        parallel: int = 0,
        dtype: DType = DType.INT8,
        target: Target | None = None,
    ) -> Value:
        """The result ``name`` of ``size`` elements."""
        known = {c.value.name for c in self.constants}
        inputs = [v for v in operands if v.name not in known]
        weights = [v for v in operands if v.name in known]
        function = kernel_name or f"make_{name}"
        if not any(f.name == function for f in self.kernels):
            self.kernels.append(
                kernel(
                    function,
                    [v.type.elements for v in inputs],
                    size,
                    constants=[v.type.elements for v in weights],
                    scratch=scratch,
                    parallel=parallel,
                    dtype=dtype,
                    target=target or self.target,
                )
            )
        value = Value(name, tensor(size, dtype))
        origin = f"{name.upper()} #{len(self.calls)}"
        self.calls.append(Call(CallPrim(function), (*inputs, *weights), (value,), origin))
        return value

    def result(self, value: Value, name: str = "") -> None:
        self.results.append(Port(name or value.name, value))

    def module(self) -> IRModule:
        main = GraphFunction(
            "main",
            tuple(self.params),
            tuple(self.constants),
            tuple(self.calls),
            tuple(self.results),
        )
        return IRModule("m", (*self.kernels, main), "main", self.target, pools=self.pools)


def run(module: IRModule, *passes: ModulePass) -> IRModule:
    """``module`` after ``passes``; each leaves its input as it was and returns a sound module."""
    verify(module, ())
    for step in passes:
        before = copy.deepcopy(module)
        after = step.run(module)
        assert difference(module, before) is None, f"{step.name} changed its input"
        verify(after, ())
        module = after
    return module


def chain(sizes: Sequence[int]) -> IRModule:
    """x -> a -> b -> ... -> y: the first size is the input's, the last the output's."""
    g = Graph()
    value = g.input("x", sizes[0])
    for i, size in enumerate(sizes[1:-1]):
        value = g.call(f"t{i}", [value], size)
    g.result(g.call("y", [value], sizes[-1]))
    return g.module()
