"""Kernels, and the helpers and intrinsics that they need."""

from __future__ import annotations

from aot.codegen.c_function import FunctionPrinter, definitions
from aot.codegen.constants import constant_symbols
from aot.ir.expr import Binary, BinaryOp, Imm, Intrinsic, Load
from aot.ir.intrinsics import IntrinsicDefinition, IntrinsicSignature
from aot.ir.tir import CallingConvention, Param, ParamRole, PrimFunc, Seq, Store
from aot.ir.types import DType
from tests.codegen.modules import SCALAR, buffer, scaler, single_kernel

I32 = DType.INT32


def intrinsic(name: str, *requires: str) -> IntrinsicDefinition:
    calls = " + ".join(f"${r}(x)" for r in requires) or "x"
    text = f"static inline int32_t ${name}(int32_t x) {{\n  return {calls};\n}}\n"
    return IntrinsicDefinition(IntrinsicSignature(name, (I32,), I32), text, requires)


# `twice` stands before what it requires.
TABLE = (
    intrinsic("unused"),
    intrinsic("twice", "once", "once_more"),
    intrinsic("once"),
    intrinsic("once_more", "once"),
)


def kernel(name: str = "k_0", convention: CallingConvention = CallingConvention.UNPACKED):
    source, ignored = buffer("input", I32, 4), buffer("ignored", I32, 4)
    output = buffer("output", I32, 4)
    zero = Imm(0, I32)
    value = Intrinsic("twice", (Binary(BinaryOp.MIN, Load(source, zero), zero),), I32)
    params = (
        Param("input", ParamRole.INPUT, source),
        Param("ignored", ParamRole.INPUT, ignored),
        Param("output", ParamRole.OUTPUT, output),
    )
    body = Seq((Store(output, zero, value),))
    return PrimFunc(name, params, body, SCALAR, convention)


def test_definitions_are_those_used_each_once_and_after_what_it_calls():
    texts = list(definitions([kernel("k_0"), kernel("k_1")], TABLE, "m"))
    heads = [t.splitlines()[0].split("(")[0] for t in texts]
    assert heads == [
        "static inline int32_t m_min_int32",
        "static inline int32_t m_once",
        "static inline int32_t m_once_more",
        "static inline int32_t m_twice",
    ]
    assert "return m_once(x) + m_once_more(x);" in texts[-1]


def test_unpacked_kernel_voids_what_it_ignores():
    signatures = tuple(d.signature for d in TABLE)
    printer = FunctionPrinter(single_kernel(kernel(), intrinsics=signatures), {})
    assert list(printer.kernel(kernel())) == [
        "static void m_k_0(const int32_t *input, const int32_t *ignored, int32_t *output) {",
        "  (void)ignored;",
        "  output[0] = m_twice(m_min_int32(input[0], 0));",
        "}",
    ]


def test_packed_kernel_binds_what_it_uses():
    packed = kernel(convention=CallingConvention.PACKED)
    signatures = tuple(d.signature for d in TABLE)
    printer = FunctionPrinter(single_kernel(packed, intrinsics=signatures), {})
    assert list(printer.kernel(packed)) == [
        "static void m_k_0(void *const *args_) {",
        "  const int32_t *const input = (const int32_t *)args_[0];",
        "  int32_t *const output = (int32_t *)args_[2];",
        "  output[0] = m_twice(m_min_int32(input[0], 0));",
        "}",
    ]


def test_packed_kernel_without_any_use():
    idle = PrimFunc("idle_0", kernel().params, Seq(()), SCALAR, CallingConvention.PACKED)
    printer = FunctionPrinter(single_kernel(idle), {})
    assert list(printer.kernel(idle))[1:] == ["  (void)args_;", "}"]


def test_kernel_constants_are_global():
    module = scaler()
    names = {key: f"c_{i}" for i, key in enumerate(constant_symbols(module))}
    text = "\n".join(FunctionPrinter(module, names).kernel(module.prim_funcs[0]))
    assert "scratch[j] * c_0[j]" in text
