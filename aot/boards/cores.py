"""The processor cores that a board may name, in the spelling of GCC's -mcpu."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Core:
    """What a board may claim of a core: floating-point units (GCC's -mfpu) and features."""

    name: str
    fpus: tuple[str, ...] = ()
    features: tuple[str, ...] = ()


NATIVE = "native"

# GCC manual, "ARM Options", -mcpu and -mfpu; Arm DDI 0403 (Armv7-M), A2.3 for the DSP extension.
CORES = (
    Core("cortex-m3"),
    Core("cortex-m4", ("fpv4-sp-d16",), ("dsp",)),
    Core("cortex-m7", ("fpv5-sp-d16", "fpv5-d16"), ("dsp",)),
    Core(NATIVE),
)
