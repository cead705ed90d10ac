"""Compiles and links a firmware plan with the board's toolchain."""

from __future__ import annotations

import logging
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from aot.boards.board import Board
from aot.boards.boot_block import seal
from aot.boards.diagnostics import compile_error, link_error
from aot.boards.errors import LinkError
from aot.boards.firmware import FirmwarePlan, Unit
from aot.boards.toolchain import (
    check_toolchain,
    compile_argv,
    link_argv,
    objcopy_argv,
    prefix_map_flags,
)
from aot.boards.uf2 import uf2_image

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class FirmwareImage:
    """A linked firmware: for the host a program alone, for other boards flash images as well."""

    elf: Path
    bin: Path | None = None
    hex: Path | None = None
    uf2: Path | None = None


def build_firmware(plan: FirmwarePlan, out_dir: Path) -> FirmwareImage:
    """Builds ``plan`` and puts ``firmware.elf``, ``.bin``, ``.hex`` and, where the board has a
    family for it, ``.uf2`` into ``out_dir``.

    The host's program is called ``firmware``. Files that are there are replaced only by a build
    that succeeds. Raises ToolchainMissingError, ToolchainTooOldError, CompileError,
    RegionOverflowError or LinkError.
    """
    check_toolchain(plan.board)
    out_dir.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=out_dir, prefix=".build-") as name:
        scratch = Path(name).resolve()
        _compile_all(plan, scratch)
        _link(plan, scratch)
        if plan.board.toolchain.is_native:
            return FirmwareImage(_keep(scratch / _NATIVE, out_dir))
        images = {".elf": scratch / _ELF}
        for suffix in (".bin", ".hex"):
            images[suffix] = images[".elf"].with_suffix(suffix)
            _objcopy(plan.board, scratch, images[suffix].relative_to(scratch))
        if plan.board.uf2_family is not None:
            images[".uf2"] = images[".elf"].with_suffix(".uf2")
            images[".uf2"].write_bytes(uf2_of(plan.board, images[".bin"].read_bytes()))
        kept = {suffix: _keep(path, out_dir) for suffix, path in images.items()}
        return FirmwareImage(kept[".elf"], kept[".bin"], kept[".hex"], kept.get(".uf2"))


def uf2_of(board: Board, raw: bytes) -> bytes:
    """The raw image of a board with a UF2 family as UF2."""
    assert board.uf2_family is not None, "only boards with a family have such images"
    return uf2_image(raw, board.memory.region(board.memory.code).origin, board.uf2_family)


_NATIVE = Path("firmware")
_ELF = Path("firmware.elf")
_SCRIPT = Path("firmware.ld")


def _compile_all(plan: FirmwarePlan, scratch: Path) -> None:
    for folder in sorted({unit.object.parent for unit in plan.units}):
        (scratch / "objects" / folder).mkdir(parents=True)
    prefixes = [(folder.resolve(), name) for folder, name in plan.prefixes]
    extra = prefix_map_flags([*prefixes, (scratch, ".")])

    def compile_one(unit: Unit) -> subprocess.CompletedProcess[str]:
        argv = compile_argv(
            plan.board,
            unit.source.resolve(),
            Path("objects") / unit.object,
            [folder.resolve() for folder in plan.includes],
            plan.defines,
            extra,
        )
        return _run(argv, scratch)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(compile_one, plan.units))
    for unit, result in zip(plan.units, results, strict=True):
        if result.returncode:
            raise compile_error(unit.source, result.stderr)
        if result.stderr:
            _log.warning("%s", result.stderr.rstrip())


def _link(plan: FirmwarePlan, scratch: Path) -> None:
    image = _NATIVE if plan.script is None else _ELF
    script = None if plan.script is None else _SCRIPT
    if plan.script is not None:
        (scratch / _SCRIPT).write_text(plan.script, encoding="ascii", newline="\n")
    objects = [Path("objects") / unit.object for unit in plan.units]
    result = _run(link_argv(plan.board, objects, image, script), scratch)
    if result.returncode:
        raise link_error(plan.board, result.stderr)
    seal(scratch / image)
    if result.stderr:
        _log.warning("%s", result.stderr.rstrip())


def _objcopy(board: Board, scratch: Path, image: Path) -> None:
    result = _run(objcopy_argv(board, _ELF, image), scratch)
    if result.returncode:
        raise LinkError(result.stderr.strip(), where=f"board {board.name}")


def _run(argv: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    # The untranslated messages are the ones that can be read back.
    return subprocess.run(
        argv,
        cwd=folder,
        env={**os.environ, "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def _keep(built: Path, out_dir: Path) -> Path:
    return built.replace(out_dir / built.name)
