"""The section of a model says what its module and its plan say."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from aot.ir.pools import Pool, PoolKind
from aot.targets.scalar import SCALAR
from tests.report.reports import HOSTILE, chain, compiled, hostile
from tests.support.models import DIGITS
from tests.support.tflite_builder import ModelBuilder


@pytest.mark.parametrize("io", [False, True])
def test_buffers_are_those_of_the_plan(io):
    model, section = compiled(DIGITS.read_bytes(), io_in_pools=io)
    planned = {
        (a.key.function, a.key.buffer, a.pool, a.offset, a.bytes)
        for a in model.module.plan.assignments
    }
    assert {(b.function, b.name, b.pool, b.offset, b.bytes) for b in section.buffers} == planned
    assert len(section.buffers) == len(planned)
    for pool in section.pools:
        ends = [b.offset + b.bytes for b in section.buffers if b.pool == pool.name]
        assert pool.bytes == max(ends)


def test_live_ranges_of_a_chain():
    # in -> a -> b -> c: every result is read by the next operator alone.
    _, section = compiled(chain("abc"), io_in_pools=True)
    live = {b.tensor: b.live for b in section.buffers}
    assert live == {"ina": ((0, 2),), "a": ((0, 1),), "b": ((1, 2),), "c": ((2, 2),)}
    assert section.steps == 3
    assert [(o.step, o.tensor, o.origin) for o in section.operators] == [
        (0, "a", "ADD #0"),
        (1, "b", "ADD #1"),
        (2, "c", "ADD #2"),
    ]


def test_constants_that_init_copies_live_throughout():
    pools = (Pool("ram", PoolKind.WORKSPACE), Pool("fast", PoolKind.CONSTANT))
    model, section = compiled(DIGITS.read_bytes(), pools=pools)
    copied = {image.key.buffer for image in model.module.images}
    live = {b.live for b in section.buffers if b.name in copied}
    assert len(copied) == 25 and live == {((0, section.steps - 1),)}


def test_tensors_have_the_names_of_the_model_whatever_they_are():
    _, section = compiled(hostile())
    names = {b.tensor for b in section.buffers}
    assert {HOSTILE, f"{HOSTILE} constant", "a\nb\t\u202e constant", "=1+1"} <= names
    assert section.inputs[0].tensor == f'"{HOSTILE}&amp;'


def test_interface_in_and_outside_the_pools():
    _, outside = compiled(DIGITS.read_bytes())
    _, inside = compiled(DIGITS.read_bytes(), io_in_pools=True)
    image = outside.inputs[0]
    assert (image.name, image.dtype, image.shape, image.bytes) == (
        "image",
        "int8",
        (1, 8, 8, 1),
        64,
    )
    assert image.zero_points == (-128,) and image.scales == (pytest.approx(1 / 255),)
    assert (image.pool, image.offset) == (None, None)
    assert outside.io_outside_pools == outside.io == 64 + 10
    assert inside.io_outside_pools == 0
    for tensor in (*inside.inputs, *inside.outputs):
        buffer = next(b for b in inside.buffers if b.name == tensor.name)
        assert (tensor.pool, tensor.offset) == (buffer.pool, buffer.offset)


def test_operators_sum_up():
    _, section = compiled(DIGITS.read_bytes())
    first = section.operators[0]
    assert (first.origin, first.strategy, first.kernel) == (
        *("CONV_2D #0", "loops"),
        "quantized_conv_2d_0",
    )
    assert first.reason == "first strategy of target scalar"
    assert first.inputs[0].shape == (1, 8, 8, 1) and first.outputs[0].shape == (1, 8, 8, 16)
    assert (16, 3, 3, 1) in {c.shape for c in first.constants}
    # 8 x 8 places, 16 channels, 9 taps.
    assert first.macs == 8 * 8 * 16 * 9
    assert section.macs == sum(o.macs for o in section.operators)
    assert [o.index for o in section.operators if o.peak] == [2]


def test_a_copy_needs_no_strategy():
    b = ModelBuilder()
    b.inputs = [b.tensor((2, 8), "float32", name="wide")]
    b.outputs = [b.tensor((16,), "float32", name="flat")]
    shape = b.tensor((1,), "int32", data=np.array([16], np.int32))
    b.op("RESHAPE", [b.inputs[0], shape], b.outputs, ("ReshapeOptions", {"NewShape": [16]}))
    (operator,) = compiled(b.build())[1].operators
    assert (operator.strategy, operator.tensor) == ("copy", "flat")
    assert operator.reason == "moves its operand's bytes, whatever the target"


@dataclass(frozen=True)
class Picky:
    """A strategy that takes nothing."""

    name = "picky"

    def applies(self, call):
        return False

    def lower(self, call, k):
        raise AssertionError("never chosen")


def test_reason_names_the_strategies_that_did_not_apply():
    target = replace(SCALAR, strategies=(Picky(), *SCALAR.strategies))
    _, section = compiled(DIGITS.read_bytes(), target=target)
    reasons = {o.strategy: o.reason for o in section.operators}
    assert reasons == {"loops": "first strategy of target scalar that applies, after picky"}
