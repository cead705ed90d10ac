"""Models and reports for the tests of this folder."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aot.compiler import compile_model
from aot.report.model import GraphKeeper, model_section
from aot.report.schema import SCHEMA, Memory, PoolNeed, Region, Report, Section, Stack
from tests.support.models import DIGITS
from tests.support.native import options
from tests.support.tflite_builder import ModelBuilder

HOSTILE = "<script>alert(1)</script>"


def compiled(raw, **changes):
    """The compiled model and its section of the report."""
    chosen, keeper = options(**changes), GraphKeeper()
    model = compile_model(raw, "model.tflite", chosen, keeper.observe)
    return model, model_section(model, keeper.graph, chosen, "model.tflite")


def digits(**changes):
    """The section of the example model."""
    return compiled(DIGITS.read_bytes(), **changes)[1]


def chain(names):
    """A model that adds its input to itself once per name; the results are called so."""
    b = ModelBuilder()
    value = first = b.tensor((4, 4), "float32", name=f"in{names[0]}")
    b.inputs = [value]
    for name in names:
        result = b.tensor((4, 4), "float32", name=name)
        add = ("AddOptions", {"FusedActivationFunction": 0})
        b.op("ADD", [value, first], [result], add)
        value = result
    b.outputs = [value]
    return b.build()


def hostile():
    """A model whose tensors and constants try to be markup."""
    b = ModelBuilder()
    value = b.tensor((8,), "float32", name=f'"{HOSTILE}&amp;')
    b.inputs = [value]
    for name in (HOSTILE, "]]></svg>" + HOSTILE, "' onload='alert(1)", "=1+1", "a\nb\t\u202e"):
        data = np.ones((8,), np.float32)
        constant = b.tensor((8,), "float32", data=data, name=f"{name} constant")
        result = b.tensor((8,), "float32", name=name)
        b.op("ADD", [value, constant], [result], ("AddOptions", {"FusedActivationFunction": 0}))
        value = result
    b.outputs = [value]
    return b.build()


def memory(models):
    """A linked image with one region of each kind."""
    uses = [p.bytes for m in models for p in m.pools if p.kind == "workspace"]
    used = max(uses, default=0)
    return Memory(
        20000,
        9000,
        (Region("rom", "rx", 20000, 65536), Region("sram", "rw", 9000, 9500)),
        (
            PoolNeed("ram", "workspace", "sram", ".pool_ram", used, 8192),
            PoolNeed("flash", "constant", "rom", ".pool_flash", 4000, None),
        ),
        Stack("sram", 2048),
        (Section(".text", 0x8000000, 16000, None), Section(".stack", 0x20000000, 2048, 2048)),
    )


def report(*models, **changes):
    """A report of ``models`` as if they had been linked."""
    made = Report(SCHEMA, "b1", "0123456789abcdef", "0.1.0", "gcc", memory(models), models)
    return replace(made, **changes)
