"""A firmware in SCons: generated files, objects, image, flash images, memory report."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from SCons.Action import Action

from aot.boards.board import Board
from aot.boards.boot_block import seal
from aot.boards.build import uf2_of
from aot.boards.diagnostics import link_error
from aot.boards.errors import LinkError
from aot.boards.firmware import board_defines, firmware_object, firmware_sources
from aot.boards.linker import linker_script
from aot.boards.toolchain import cflags, check_toolchain, link_argv, objcopy_argv
from aot.build import generate_firmware
from aot.codegen.files import GeneratedFile, write_files
from aot.codegen.glue import FILE_NAME
from aot.compiler import CompileOptions
from aot.report.files import (
    REPORT_FILES,
    firmware_report,
    models_file,
    read_models,
    report_files,
)
from aot.report.memory import firmware_memory
from aot.report.model import GraphKeeper, model_section
from aot.report.record import RECORD_FILE
from aot.report.screen import memory_screen
from aot.resources import data_dir
from aot.scons.digest import compiler_digest
from aot.scons.model import compile_node, generated_names, guarded, signature

BUILD_ID_FILE = "build_id.txt"
# No model is called so: their names are identifiers.
_MODELS_FILE = "report-models.json"


@dataclass(frozen=True)
class FirmwareNodes:
    """The nodes of a firmware: what runs, what is flashed, what describes it.

    ``models`` is what ``memory`` and the page, data and table of ``report`` say of the models,
    ``texts`` is a summary per model.
    """

    image: Any
    flash_images: list[Any]
    memory: Any
    build_id: Any
    metadata: list[Any]
    models: Any
    report: list[Any]
    texts: list[Any]


def firmware(
    env: Any,
    folder: str,
    board: Board,
    models: Sequence[tuple[str, CompileOptions]],
    benchmark: str | None = None,
) -> FirmwareNodes:
    """Declares the firmware of ``models`` (file and options of each) below ``folder``.

    ``benchmark`` is the id of MLPerf Tiny for which they stand, if they do.
    """
    env = env.Clone(
        CC=board.toolchain.compiler,
        CFLAGS=[],
        CCFLAGS=list(cflags(board)),
        CPPDEFINES=[f"{name}={value}" for name, value in board_defines(board)],
        CPPPATH=[str(data_dir("firmware") / "include"), f"{folder}/generated"],
        OBJSUFFIX=".o",
        CCCOMSTR="Compiling $SOURCE",
        AOT_BOARD=board,
        AOT_BOARD_DIGEST=board.digest(),
        AOT_OPTIONS=[options for _, options in models],
        AOT_BENCHMARK=benchmark,
    )
    generated = _generated(env, folder, board, models)
    names = [Path(str(n)).name for n in generated]
    objects = _objects(env, folder, board, [n for n in generated if str(n).endswith(".c")])
    image = _image(env, folder, board, objects)
    build_id, described = (generated[names.index(n)] for n in (BUILD_ID_FILE, _MODELS_FILE))
    program = env.Value(compiler_digest())
    (memory,) = env.Command(f"{folder}/memory.txt", [image, described, program], _MEASURE)
    report = env.Command(
        [f"{folder}/{name}" for name in REPORT_FILES],
        [image, described, build_id, program, env.Value(_record_digest(Path(folder)))],
        _REPORT,
    )
    env.Precious(report)
    # A cache knows nothing of the record.
    env.NoCache(report)
    return FirmwareNodes(
        image,
        _flash_images(env, board, image),
        memory,
        build_id,
        [n for n in generated if str(n).endswith(".json") and n is not described],
        described,
        list(report),
        [n for n in generated if str(n).endswith("_report.txt")],
    )


def _record_digest(folder: Path) -> str:
    """Text that changes with the record of the last test, which is no target of this graph."""
    path = folder / RECORD_FILE
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _generated(
    env: Any, folder: str, board: Board, models: Sequence[tuple[str, CompileOptions]]
) -> list[Any]:
    """All generated files, of one action: the table names every model."""
    options = [o for _, o in models]
    names = [n for o in options for n in generated_names(o.name)]
    drivers = sorted(str(p) for p in data_dir("firmware").rglob("*") if p.suffix in (".c", ".h"))
    nodes = env.Command(
        [f"{folder}/generated/{n}" for n in (*names, FILE_NAME, BUILD_ID_FILE, _MODELS_FILE)],
        [
            *(m for m, _ in models),
            *drivers,
            env.Value(f"{signature(options, board)} {env['AOT_BENCHMARK']}"),
        ],
        _GENERATE,
    )
    env.Precious(nodes)
    return list(nodes)


def _objects(env: Any, folder: str, board: Board, generated: list[Any]) -> list[Any]:
    sources = data_dir("firmware")
    return [
        *(
            env.Object(f"{folder}/objects/firmware/{firmware_object(name)}", str(sources / name))
            for name in firmware_sources(board)
        ),
        *(env.Object(f"{folder}/objects/generated/{Path(str(g)).stem}.o", g) for g in generated),
    ]


def _image(env: Any, folder: str, board: Board, objects: list[Any]) -> Any:
    native = board.toolchain.is_native
    script = (
        []
        if native
        else [env.Command(f"{folder}/firmware.ld", env.Value(linker_script(board)), _SCRIPT)]
    )
    name = "firmware" if native else "firmware.elf"
    (image,) = env.Command(f"{folder}/{name}", [*objects, *script], _LINK)
    return image


def _flash_images(env: Any, board: Board, image: Any) -> list[Any]:
    if board.toolchain.is_native:
        return []
    base = str(image).removesuffix(".elf")
    raw = env.Command(f"{base}.bin", image, _CONVERT)
    images = [*raw, *env.Command(f"{base}.hex", image, _CONVERT)]
    if board.uf2_family is not None:
        images += env.Command(f"{base}.uf2", raw, _UF2)
    return images


# Actions see nothing but their arguments: SCons signs a function by its code and what it closes
# over, and objects have no stable text.


def _generate(target: list[Any], source: list[Any], env: Any) -> None:
    options: list[CompileOptions] = env["AOT_OPTIONS"]
    models, sections = [], []
    for node, chosen in zip(source[: len(options)], options, strict=True):
        keeper = GraphKeeper()
        models.append(compile_node(node, chosen, keeper.observe))
        sections.append(model_section(models[-1], keeper.graph, chosen, node.name))
    built = generate_firmware(env["AOT_BOARD"], models, env["AOT_BENCHMARK"])
    folder = Path(str(target[0])).parent
    identity = GeneratedFile(BUILD_ID_FILE, built.build_id + "\n")
    write_files([*built.files, identity, models_file(_MODELS_FILE, sections)], folder)


def _write_script(target: list[Any], source: list[Any], env: Any) -> None:
    text = source[0].get_text_contents()
    write_files([GeneratedFile(target[0].name, text)], Path(str(target[0])).parent)


def _link(target: list[Any], source: list[Any], env: Any) -> None:
    board: Board = env["AOT_BOARD"]
    check_toolchain(board)
    paths = [Path(str(n)) for n in source]
    objects = [p for p in paths if p.suffix == ".o"]
    script = next((p for p in paths if p.suffix == ".ld"), None)
    result = _run(link_argv(board, objects, Path(str(target[0])), script), env)
    if result.returncode:
        raise link_error(board, result.stderr)
    seal(Path(str(target[0])))


def _uf2(target: list[Any], source: list[Any], env: Any) -> None:
    Path(str(target[0])).write_bytes(uf2_of(env["AOT_BOARD"], Path(str(source[0])).read_bytes()))


def _convert(target: list[Any], source: list[Any], env: Any) -> None:
    board: Board = env["AOT_BOARD"]
    result = _run(objcopy_argv(board, Path(str(source[0])), Path(str(target[0]))), env)
    if result.returncode:
        raise LinkError(result.stderr.strip(), where=f"board {board.name}")


def _measure(target: list[Any], source: list[Any], env: Any) -> None:
    """What the image takes of each region, as a file and on the terminal."""
    text = memory_report(env["AOT_BOARD"], *(Path(str(n)) for n in source[:2]))
    write_files([GeneratedFile(target[0].name, text)], Path(str(target[0])).parent)
    print(text, end="")


def _report(target: list[Any], source: list[Any], env: Any) -> None:
    image, models, build_id = (Path(str(n)) for n in source[:3])
    folder = Path(str(target[0])).parent
    report = firmware_report(
        env["AOT_BOARD"],
        image,
        build_id.read_text().strip(),
        read_models(models.read_text(encoding="utf-8")),
        folder,
    )
    write_files(report_files(report), folder)


_SIGNED = ["AOT_BOARD_DIGEST"]
_GENERATE = Action(guarded(_generate), "Compiling models for $AOT_BOARD.name")
_SCRIPT = Action(guarded(_write_script), "Writing $TARGET")
_LINK = Action(guarded(_link), "Linking $TARGET", varlist=_SIGNED)
_CONVERT = Action(guarded(_convert), "Converting to $TARGET", varlist=_SIGNED)
_UF2 = Action(guarded(_uf2), "Converting to $TARGET", varlist=_SIGNED)
_MEASURE = Action(guarded(_measure), "Measuring $SOURCE", varlist=_SIGNED)
_REPORT = Action(guarded(_report), "Reporting on $SOURCE", varlist=_SIGNED)


def memory_report(board: Board, image: Path, models: Path) -> str:
    """Need against limit of flash, every region and pool, and the stack, as text.

    ``models`` is the file of the node of that name.
    """
    sections = read_models(models.read_text(encoding="utf-8"))
    return memory_screen(board.name, firmware_memory(board, image, sections))


def _run(argv: list[str], env: Any) -> subprocess.CompletedProcess[str]:
    # The untranslated messages are the ones that can be read back.
    environment = {**{k: str(v) for k, v in env["ENV"].items()}, "LC_ALL": "C"}
    return subprocess.run(
        argv, env=environment, capture_output=True, text=True, errors="replace", check=False
    )
