"""Strategies for modules of any content, most of which break rules of the verifier."""

from __future__ import annotations

from hypothesis import strategies as st

from aot.ir import expr, graph, tir
from aot.ir.module import IRModule, PoolImage, Stage
from aot.ir.op import CallPrim
from aot.ir.pools import Assignment, BufferKey, MemoryPlan, Pool, PoolKind, PoolUse
from aot.ir.syntax import RESERVED
from aot.ir.target import Target
from aot.ir.types import Data, DType, Quantization, TensorType

from .modules import Blend, Mode, Shapeless

# Few names, so that they collide and mean different things in different places.
names = st.sampled_from(("a", "b", "i", "input", "output", "x:0", "", "größe", 'say "no"\n')) | (
    st.sampled_from(sorted(RESERVED)) | st.text(max_size=8)
)
integers = st.integers(-(2**40), 2**40)
sizes = st.integers(0, 2**33)
floats = st.floats()
dtypes = st.sampled_from(DType)


def tuples(items, most=3):
    return st.lists(items, max_size=most).map(tuple)


quantizations = st.builds(
    Quantization, tuples(floats, 12), tuples(integers, 3), st.integers(0, 3)
) | st.builds(Quantization, st.tuples(floats), st.tuples(integers))
types = st.builds(TensorType, tuples(st.integers(0, 9), 4), dtypes, st.none() | quantizations)
contents = st.builds(
    Data, tuples(st.integers(0, 9), 4), dtypes, st.binary(max_size=40) | st.binary(max_size=400)
)

targets = st.builds(Target, names, tuples(names), tuples(names))
pools = st.builds(
    Pool,
    names,
    st.sampled_from(PoolKind),
    st.none() | sizes,
    sizes,
    tuples(names),
    st.booleans(),
    names,
    st.none() | floats,
    st.none() | floats,
    st.none() | floats,
    st.none() | floats,
)
keys = st.builds(BufferKey, names, names)
plans = st.builds(
    MemoryPlan,
    names,
    tuples(st.builds(Assignment, keys, names, sizes, sizes)),
    tuples(st.builds(PoolUse, names, sizes)),
)
images = st.builds(PoolImage, keys, names, sizes, contents)

variables = st.builds(expr.Var, names, dtypes)
buffers = st.builds(expr.Buffer, names, types)
leaves = st.builds(expr.Imm, integers | floats, dtypes) | variables


def _larger(inner):
    intrinsics = st.builds(expr.Intrinsic, names, tuples(inner), dtypes)
    return (
        st.builds(expr.Binary, st.sampled_from(expr.BinaryOp), inner, inner)
        | st.builds(expr.Compare, st.sampled_from(expr.CompareOp), inner, inner)
        | st.builds(expr.Select, inner, inner, inner)
        | st.builds(expr.Cast, inner, dtypes)
        | st.builds(expr.Load, buffers, inner)
        | st.builds(expr.Address, buffers, inner)
        | intrinsics
    )


expressions = st.recursive(leaves, _larger, max_leaves=8)
intrinsics = st.builds(expr.Intrinsic, names, tuples(expressions), dtypes)
interfaces = st.none() | st.builds(tir.Interface, st.sampled_from(tir.ParamRole), names, names)
simple = (
    st.builds(tir.Let, variables, expressions)
    | st.builds(tir.Local, variables, expressions)
    | st.builds(tir.Assign, variables, expressions)
    | st.builds(tir.Store, buffers, expressions, expressions)
    | st.builds(tir.Evaluate, intrinsics)
    | st.builds(tir.Allocate, buffers, sizes, tuples(names), interfaces, names)
    | st.builds(tir.AllocateConst, buffers, contents, sizes, tuples(names))
    | st.builds(tir.PoolView, buffers, buffers, sizes, interfaces)
    | st.builds(tir.Invoke, names, tuples(buffers), st.none() | sizes, names)
    | st.builds(tir.DeviceHook, buffers, st.sampled_from(tir.HookKind))
)


def _nested(inner):
    seqs = st.builds(tir.Seq, tuples(inner))
    kinds = st.sampled_from(tir.ForKind)
    return (
        st.builds(tir.For, variables, expressions, expressions, seqs, kinds, integers)
        | st.builds(tir.If, expressions, seqs, st.none() | seqs)
        | seqs
    )


seqs = st.builds(tir.Seq, tuples(st.recursive(simple, _nested, max_leaves=6), 4))
infos = st.builds(tir.OperatorInfo, names, names, names, sizes, st.booleans())
prim_funcs = st.builds(
    tir.PrimFunc,
    names,
    tuples(st.builds(tir.Param, names, st.sampled_from(tir.ParamRole), buffers, names)),
    seqs,
    targets,
    st.sampled_from(tir.CallingConvention),
    st.none() | infos,
    st.none() | sizes,
)

values = st.builds(graph.Value, names, types)
ports = st.builds(graph.Port, names, values)
blends = st.builds(
    Blend,
    floats,
    st.sampled_from(Mode),
    tuples(integers),
    st.tuples(integers, integers),
    names,
    st.booleans(),
    st.none() | integers,
    tuples(tuples(floats)),
)
ops = blends | st.builds(Shapeless, integers) | st.builds(CallPrim, names)
calls = st.builds(graph.Call, ops, tuples(st.none() | values), tuples(values), names)
graphs = st.builds(
    graph.GraphFunction,
    names,
    tuples(ports),
    tuples(st.builds(graph.Constant, values, contents)),
    tuples(calls),
    tuples(ports),
)

modules = st.builds(
    IRModule,
    names,
    tuples(graphs | prim_funcs),
    names,
    targets,
    st.sampled_from(Stage),
    tuples(pools),
    st.none() | plans,
    tuples(images),
)
