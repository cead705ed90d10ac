"""The processor cores that a board may name, in the spelling of GCC's -mcpu."""

from __future__ import annotations

from dataclasses import dataclass

from aot.boards.board import ToolchainId


@dataclass(frozen=True)
class Core:
    """A core's compiler and the options that name it, and what a board may claim of it:
    floating-point units (GCC's -mfpu) and features."""

    name: str
    toolchain: ToolchainId
    options: tuple[str, ...] = ()
    fpus: tuple[str, ...] = ()
    features: tuple[str, ...] = ()


NATIVE = "native"


def _cortex_m(name: str, fpus: tuple[str, ...] = (), features: tuple[str, ...] = ()) -> Core:
    return Core(name, "arm-none-eabi-gcc", (f"-mcpu={name}", "-mthumb"), fpus, features)


# GCC manual, "ARM Options", -mcpu and -mfpu, and "RISC-V Options"; DDI 0403 (Armv7-M), A2.3 for the
# DSP extension; DDI 0553 (Armv8-M), B1.5 for MVE.
CORES = (
    _cortex_m("cortex-m0"),
    _cortex_m("cortex-m0plus"),
    _cortex_m("cortex-m3"),
    _cortex_m("cortex-m4", ("fpv4-sp-d16",), ("dsp",)),
    _cortex_m("cortex-m7", ("fpv5-sp-d16", "fpv5-d16"), ("dsp",)),
    _cortex_m("cortex-m33", ("fpv5-sp-d16",), ("dsp",)),
    # The FPU of this core is part of its name.
    _cortex_m("cortex-m55", ("auto",), ("dsp", "mve")),
    Core(
        "rv32imac",
        "riscv64-unknown-elf-gcc",
        # Code anywhere in 32 bits of address, data never reached through gp, which stays unset.
        ("-march=rv32imac", "-misa-spec=2.2", "-mabi=ilp32", "-mcmodel=medany"),
    ),
    Core(NATIVE, "host-gcc"),
)


def core(name: str) -> Core:
    """The core of that name, which the loader has checked to exist."""
    return next(c for c in CORES if c.name == name)
