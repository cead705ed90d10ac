"""The constant arrays of a module and their global names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aot.ir.module import IRModule
from aot.ir.pools import BufferKey
from aot.ir.tir import AllocateConst
from aot.ir.types import Data
from aot.ir.visitor import walk
from aot.names import unique_identifiers


@dataclass(frozen=True)
class ConstantArray:
    """An array in flash: the buffer that it stands for, its contents, alignment in bytes and
    linker section (empty: the compiler's choice)."""

    symbol: str
    key: BufferKey
    data: Data
    alignment: int
    section: str


def constant_arrays(module: IRModule) -> tuple[ConstantArray, ...]:
    """The constants that functions declare, in their order, then the images that init copies."""
    found = list(_declared(module))
    names = unique_identifiers(
        [
            key.buffer if key.function == module.entry else f"{key.function}_{key.buffer}"
            for key, _, _, _ in found
        ],
        "constant",
    )
    return tuple(
        ConstantArray(f"{module.name}_const_{name}", *array)
        for name, array in zip(names, found, strict=True)
    )


def constant_symbols(module: IRModule) -> dict[BufferKey, str]:
    """The global name of every constant."""
    return {array.key: array.symbol for array in constant_arrays(module)}


def _declared(module: IRModule) -> Iterator[tuple[BufferKey, Data, int, str]]:
    for function in module.prim_funcs:
        for s in walk(function.body):
            if isinstance(s, AllocateConst):
                section = module.pool(s.candidates[0]).section if s.candidates else ""
                yield BufferKey(function.name, s.buffer.name), s.data, s.alignment, section
    for image in module.images:
        yield image.key, image.data, image.data.dtype.bytes, ""
