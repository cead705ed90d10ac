"""The text of a small graph and of a planned module, written by hand."""

from aot.ir.printer import print_module

from . import modules

GRAPH = """\
module small
entry main
stage graph
target {name="scalar"}

#0 = {scales=(0.1, 0.2), zero_points=(0, 1), axis=1}

graph main {
  input "serving/x:0": int8[1, 4]<0.5:-3> as "image"
  constant w: int8[1, 4]<#0> = hex "01 02 03 ff"
  y: int8[1, 4] = blend("serving/x:0", w, none) {factor=0.5, mode=EXACT, axes=(1,), size=(1, 1), \
label="", keep=False, limit=None, nested=()} from "BLEND #0"
  output y
}
"""

PLANNED = """\
module small
entry main
stage planned
target {name="scalar"}
pool ram {kind=WORKSPACE, size_limit=64}
pool flash {kind=CONSTANT, read_only=True}
pool tcm {kind=CONSTANT, size_limit=32, targets=("scalar",), section=".tcm"}

plan greedy_by_size {
  used ram: 4 bytes
  used flash: 4 bytes
  used tcm: 8 bytes
  main/middle: 4 bytes at ram + 0
  main/more: 4 bytes at tcm + 4
  main/w: 4 bytes at flash + 0
}

func blend_0(
  input source: int8[4],
  constant weights: int8[4],
  output result: int8[4],
) attributes {info={operator="blend", origin="BLEND #0", strategy="loops", macs=4}} {
  for i in 0 .. 4 {
    var total: int32 = 0
    total = cast<int32>(source[i]) + cast<int32>(weights[i])
    let rounded: int32 = round_half<int32>(total, 1)
    result[i] = int8(0)
    if rounded > 0 {
      result[i] = cast<int8>(rounded)
    }
  }
}

func main(
  input image: int8[1, 4]<0.5:-3> as "serving/x:0",
  output y: int8[4] as "y",
  workspace_pool ram: uint8[4],
  constant_pool tcm: uint8[8],
) {
  constant w: int8[4] {candidates=("flash",)} = hex "01 02 03 ff"
  view more: int8[4] = tcm + 4
  view middle: int8[4] = ram + 0
  invoke blend_0(image, w, middle) {origin="BLEND #0"}
  invoke blend_0(middle, more, y) {origin="BLEND #1"}
}

image main/more at tcm + 4: int8[4] = hex "01 02 03 ff"
"""


def test_a_graph():
    assert print_module(modules.graph()) == GRAPH


def test_a_planned_module():
    assert print_module(modules.planned()) == PLANNED


def test_the_text_of_equal_modules_is_equal():
    assert print_module(modules.lowered()) == print_module(modules.lowered())
