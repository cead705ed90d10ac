"""A model's part of the page: contract, maps, operators."""

from __future__ import annotations

import re
from dataclasses import replace

from aot.report.model_page import model_part, shapes
from aot.report.schema import Shape
from tests.report.reports import digits
from tests.report.test_page import row


def test_interface_in_a_pool():
    model = digits(io_in_pools=True)
    contract = row(model_part(model), "input", "image")
    assert contract[:3] == ["image", "int8", "1x8x8x1"]
    assert contract[4:6] == ["-128", "64"]
    assert contract[6] == f"pool ram at offset {model.inputs[0].offset:,}"


def test_interface_of_the_caller_with_many_scales():
    model = digits()
    many = replace(model.inputs[0], scales=(0.5,) * 20, zero_points=(0,) * 20)
    contract = row(model_part(replace(model, inputs=(many,))), "input", "image")
    assert contract[3] == f"{', '.join(['0.5'] * 8)}, ... (20 in all)"
    assert contract[6] == "the caller&#x27;s"


def test_a_map_for_each_pool_that_holds_something():
    model = digits()
    empty = replace(model.pools[0], name="empty", bytes=0)
    part = model_part(replace(model, pools=(*model.pools, empty)))
    assert re.findall(r'data-pool="(\w+)"', part) == ["ram", "flash"]
    assert "the linker places these" in part.split('data-pool="flash"')[0].split("</svg>")[1]


def test_operators_say_which_kernel_and_why():
    cells = row(model_part(digits()), "2", "CONV_2D #2")
    assert cells[:4] == ["16,384", "400", "3,072", "peak"]
    assert cells[8:11] == ["quantized_conv_2d_2", "loops", "first strategy of target scalar"]


def test_shapes():
    assert shapes((Shape("int8", (1, 2)), Shape("float32", ()))) == "int8 1x2, float32 scalar"
