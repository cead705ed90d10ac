"""Shows which stage of a compilation runs: in place on a terminal, one plain line elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from aot.codegen.comments import printable
from aot.compiler import CompiledModel, CompileOptions, compile_model, lowering, planning
from aot.ir.module import IRModule

Observer = Callable[[str, IRModule], None]
_COLUMNS = 79


def compile_shown(
    raw: bytes,
    file_name: str,
    options: CompileOptions,
    stream: TextIO,
    observe: Observer | None = None,
) -> CompiledModel:
    """``compile_model`` with its progress on ``stream``.

    A terminal sees `[n/m] stage file` while that stage runs, and nothing of it afterwards.
    """
    passes = (*lowering(options), *planning(options, options.io_in_pools))
    stages = ("read", *(p.name for p in passes), "generate")
    terminal = stream.isatty()
    done = 0

    def show() -> None:
        line = f"[{done + 1}/{len(stages)}] {stages[done]} {printable(file_name)}"
        stream.write(f"\r{line[:_COLUMNS]:<{_COLUMNS}}")
        stream.flush()

    def step(name: str, module: IRModule) -> None:
        nonlocal done
        done += 1
        if terminal:
            show()
        if observe is not None:
            observe(name, module)

    try:
        if terminal:
            show()
        model = compile_model(raw, file_name, options, step)
    finally:
        if terminal:
            stream.write(f"\r{'':<{_COLUMNS}}\r")
            stream.flush()
    if not terminal:
        stream.write(f"compiled {printable(file_name)} in {len(stages)} stages\n")
    return model
