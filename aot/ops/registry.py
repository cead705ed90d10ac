"""Finds every operator: each module of this package contributes the classes it defines."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import MappingProxyType
from typing import TypeGuard

import aot.ops
from aot.ir.op import CallPrim, Op
from aot.ops.base import TfliteOp


def _is_operator(member: object) -> TypeGuard[type[Op]]:
    """Whether ``member`` is an operator and not a base of some: those have no name."""
    return isinstance(member, type) and issubclass(member, Op) and "name" in vars(member)


@cache
def _defined() -> tuple[type[Op], ...]:
    """All operator classes with a name, in the order of module and class names."""
    found: list[type[Op]] = []
    for info in sorted(pkgutil.iter_modules(aot.ops.__path__), key=lambda m: m.name):
        if info.ispkg:
            continue
        module = importlib.import_module(f"{aot.ops.__name__}.{info.name}")
        members = [c for _, c in sorted(vars(module).items(), key=lambda item: item[0])]
        found += [c for c in members if _is_operator(c) and c.__module__ == module.__name__]
    return tuple(found)


@cache
def tflite_operators() -> MappingProxyType[str, type[TfliteOp]]:
    """The operators that a file may use, by BuiltinOperator name, sorted."""
    classes = {c.code: c for c in _defined() if issubclass(c, TfliteOp)}
    return MappingProxyType({code: classes[code] for code in sorted(classes)})


@cache
def all_operators() -> MappingProxyType[str, type[Op]]:
    """Every operator of the graph level by its word in the text form, CallPrim included."""
    every: tuple[type[Op], ...] = (*_defined(), CallPrim)
    classes = {c.name: c for c in every}
    return MappingProxyType({name: classes[name] for name in sorted(classes)})
