"""Runs a firmware's start-up instruction by instruction, in Unicorn, up to main()."""

from __future__ import annotations

from dataclasses import dataclass

from pyocd.coresight import core_ids
from unicorn import (
    UC_ARCH_ARM,
    UC_ARCH_RISCV,
    UC_HOOK_CODE,
    UC_HOOK_MEM_WRITE,
    UC_MODE_MCLASS,
    UC_MODE_RISCV32,
    UC_MODE_THUMB,
    Uc,
    arm_const,
    riscv_const,
)

from .linked import Instruction, Linked

_PAGE = 4096
_MODELS = {
    "cortex-m0": arm_const.UC_CPU_ARM_CORTEX_M0,
    # Unicorn knows none later of either architecture.
    "cortex-m0plus": arm_const.UC_CPU_ARM_CORTEX_M0,
    "cortex-m3": arm_const.UC_CPU_ARM_CORTEX_M3,
    "cortex-m4": arm_const.UC_CPU_ARM_CORTEX_M4,
    "cortex-m7": arm_const.UC_CPU_ARM_CORTEX_M7,
    "cortex-m33": arm_const.UC_CPU_ARM_CORTEX_M33,
}
_PART_NUMBERS = {
    "cortex-m0": core_ids.ARM_CortexM0,
    "cortex-m0plus": core_ids.ARM_CortexM0p,
    "cortex-m3": core_ids.ARM_CortexM3,
    "cortex-m4": core_ids.ARM_CortexM4,
    "cortex-m7": core_ids.ARM_CortexM7,
    "cortex-m33": core_ids.ARM_CortexM33,
}
# DDI 0403 (Armv7-M), B3.1: the private peripheral bus, here memory that only remembers.
_PRIVATE = 0xE0000000
_PRIVATE_BYTES = 1 << 20
# DDI 0489 (Cortex-M7 TRM): CPUID, and CCSIDR of a data cache of 4 KB, 4 ways of 32 lines.
_CPUID, _CCSIDR = 0xE000ED00, 0xE000ED80
CACHE_SETS, CACHE_WAYS = 32, 4
_CACHE = (CACHE_SETS - 1) << 13 | (CACHE_WAYS - 1) << 3 | 1
_MOST_INSTRUCTIONS = 1_000_000
GARBAGE = 0xA7


@dataclass(frozen=True)
class Write:
    """A store by the instruction that is the ``step``th executed."""

    step: int
    address: int
    value: int


@dataclass(frozen=True)
class StartUp:
    """Everything from reset to main(): instructions, stores, and RAM and SP when main begins."""

    executed: tuple[Instruction, ...]
    writes: tuple[Write, ...]
    stack_pointer: int
    memory: dict[str, bytes]

    def read(self, linked: Linked, address: int, size: int) -> bytes:
        """Bytes of RAM when main begins."""
        region = linked.region_of(address)
        assert region is not None
        start = address - region.origin
        return self.memory[region.name][start : start + size]


def loaded_cpu(linked: Linked) -> tuple[Uc, int]:
    """A processor with the image in its memory and garbage in RAM, as after power-on, with the
    stack pointer set where hardware does so; and the address that it starts at."""
    arm = linked.board.toolchain.id == "arm-none-eabi-gcc"
    if arm:
        cpu = Uc(UC_ARCH_ARM, UC_MODE_THUMB | UC_MODE_MCLASS)
        cpu.ctl_set_cpu_model(_MODELS[linked.board.cpu.core])
        cpu.mem_map(_PRIVATE, _PRIVATE_BYTES)
        cpu.mem_write(_CPUID, (_PART_NUMBERS[linked.board.cpu.core] << 4).to_bytes(4, "little"))
        cpu.mem_write(_CCSIDR, _CACHE.to_bytes(4, "little"))
    else:
        cpu = Uc(UC_ARCH_RISCV, UC_MODE_RISCV32)
    for region in linked.board.memory.regions:
        cpu.mem_map(region.origin, -(-region.size // _PAGE) * _PAGE)
        fill = b"\xff" if region.access == "rx" else bytes([GARBAGE])
        cpu.mem_write(region.origin, fill * region.size)
    for name, section in linked.sections.items():
        if section.load_address is not None:
            cpu.mem_write(section.load_address, linked.contents(name))

    if not arm:
        return cpu, linked.entry
    table = linked.symbols["__vectors"]
    stack, reset = (int.from_bytes(cpu.mem_read(table + at, 4), "little") for at in (0, 4))
    cpu.reg_write(arm_const.UC_ARM_REG_SP, stack)
    return cpu, reset


def start_up(linked: Linked) -> StartUp:
    """Executes from reset to main()."""
    cpu, reset = loaded_cpu(linked)
    arm = linked.board.toolchain.id == "arm-none-eabi-gcc"
    by_address = {i.address: i for i in linked.instructions}
    executed: list[Instruction] = []
    writes: list[Write] = []

    def step(_cpu: Uc, address: int, _size: int, _data: object) -> None:
        executed.append(by_address[address])

    def write(_cpu: Uc, _kind: int, address: int, _size: int, value: int, _data: object) -> None:
        writes.append(Write(len(executed) - 1, address, value & 0xFFFFFFFF))

    cpu.hook_add(UC_HOOK_CODE, step)
    cpu.hook_add(UC_HOOK_MEM_WRITE, write)
    main = linked.symbols["main"] & ~1
    cpu.emu_start(reset, main, count=_MOST_INSTRUCTIONS)
    pc, sp = (
        (arm_const.UC_ARM_REG_PC, arm_const.UC_ARM_REG_SP)
        if arm
        else (riscv_const.UC_RISCV_REG_PC, riscv_const.UC_RISCV_REG_SP)
    )
    assert cpu.reg_read(pc) & ~1 == main, "start-up did not reach main()"
    memory = {
        r.name: bytes(cpu.mem_read(r.origin, r.size))
        for r in linked.board.memory.regions
        if r.access == "rw"
    }
    return StartUp(tuple(executed), tuple(writes), cpu.reg_read(sp), memory)
