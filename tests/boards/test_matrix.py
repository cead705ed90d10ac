"""Every model links for every board, or is refused with the numbers that one needs to act.

The example always; MLPerf Tiny's int8 models where MICROAOT_MODELS has them.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from aot.boards.board import Board
from aot.boards.errors import RegionOverflowError
from aot.boards.loader import board_names, load_board
from aot.boards.size import image_size
from aot.commands.firmware import link
from aot.compiler import CompiledModel, CompileOptions, compile_model
from aot.ir.pools import PoolKind
from aot.planners.base import PoolTooSmallError
from tests.support.models import DIGITS, model_folder

MODELS = (
    *("mlperf_ad_autoenc_int8", "mlperf_ic_resnet8_int8", "mlperf_ic_resnet_large_int8"),
    *("mlperf_kws_dscnn_int8", "mlperf_sww_strm_1d_dscnn_int8", "mlperf_vww_mbv1_96_int8"),
)
# What is too large for a board, all other pairs fit: weights that exceed the flash, or tensors
# that are live together and exceed the RAM.
TOO_LARGE = {
    "b_l475e_iot01a": {"mlperf_ic_resnet_large_int8"},
    "hifive1_revb": {
        *("mlperf_ic_resnet8_int8", "mlperf_ic_resnet_large_int8"),
        *("mlperf_kws_dscnn_int8", "mlperf_vww_mbv1_96_int8"),
    },
    "microbit": {*MODELS} - {"mlperf_sww_strm_1d_dscnn_int8"},
    "netduinoplus2": {"mlperf_ic_resnet_large_int8"},
    "nucleo_f446re": {"mlperf_ic_resnet_large_int8"},
    "stm32vldiscovery": {*MODELS},
}


def compiled(board: Board, path: Path) -> CompiledModel:
    options = CompileOptions(path.stem, board.ir_pools())
    return compile_model(path.read_bytes(), path.name, options)


def built(board: Board, path: Path, folder: Path) -> CompiledModel:
    """Compiles and links; warnings are errors to both compiler and linker."""
    if shutil.which(board.toolchain.compiler) is None:
        pytest.skip(f"{board.toolchain.compiler} is missing")
    model = compiled(board, path)
    image, _ = link(board, [model], folder)
    for use in image_size(board, image.elf).regions:
        assert use.bytes <= use.limit
    return model


def test_the_folder_has_these_models() -> None:
    index = (model_folder() / "INDEX.tsv").read_text().splitlines()
    names = [line.split("\t")[0] for line in index]
    assert tuple(sorted(n for n in names if re.fullmatch("mlperf_.*_int8", n))) == MODELS


@pytest.mark.parametrize("name", board_names())
def test_the_example_fits(name: str, tmp_path: Path) -> None:
    built(load_board(name), DIGITS, tmp_path)


@pytest.mark.parametrize("name", board_names())
@pytest.mark.parametrize("model", MODELS)
def test_a_model_fits_or_the_error_says_what_it_needs(
    name: str, model: str, tmp_path: Path
) -> None:
    board, path = load_board(name), model_folder() / f"{model}.tflite"
    if model not in TOO_LARGE.get(name, ()):
        built(board, path, tmp_path)
        return
    with pytest.raises((PoolTooSmallError, RegionOverflowError)) as caught:
        built(board, path, tmp_path)
    found = re.search(
        r"pool `(\w+)` is [0-9]+ bytes too small: it needs ([0-9]+) and has ([0-9]+)"
        r"|region '(\w+)' needs ([0-9]+) bytes and has ([0-9]+) \([0-9]+ over\)",
        str(caught.value),
    )
    assert found is not None, str(caught.value)
    limits = {p.name: board.pool_bytes(p) for p in board.pools}
    limits |= {r.name: r.size for r in board.memory.regions if found[4] is not None}
    assert int(found[3] or found[6]) == limits[found[1] or found[4]]
    assert int(found[2] or found[5]) > int(found[3] or found[6])
    assert caught.value.remedy != ""


@pytest.mark.parametrize(
    ("name", "model_name"),
    [
        ("stm32f746", "mlperf_ic_resnet_large_int8"),
        ("nucleo_h743zi2", "cfu_mobilenetv2_160_035"),
    ],
)
def test_a_model_too_large_for_one_region_is_spread(
    name: str, model_name: str, tmp_path: Path
) -> None:
    board = load_board(name)
    first = next(p for p in board.pools if p.kind is PoolKind.WORKSPACE)
    path = model_folder() / f"{model_name}.tflite"
    model = built(board, path, tmp_path)
    assert model.module.plan is not None
    used = {u.pool: u.bytes for u in model.module.plan.used}
    workspace = {p.name for p in board.pools if p.kind is PoolKind.WORKSPACE} & set(used)
    assert len(workspace) >= 2
    # Not for want of trying: what is live together exceeds the fastest pool.
    assert sum(used[n] for n in workspace) > board.pool_bytes(first) >= used[first.name] > 0
    taken = {u.region: u.bytes for u in image_size(board, tmp_path / "firmware.elf").regions}
    for pool in board.pools:
        if pool.name in workspace:
            assert taken[pool.region] >= used[pool.name]
