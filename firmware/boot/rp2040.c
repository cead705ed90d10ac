/* Second-stage boot block of RP2040: makes flash readable in place and starts the firmware.
   RP2040 datasheet 2.8.1.3 "Second Stage": the boot ROM copies 256 bytes to SRAM and runs them
   where their last word, which the build fills in, is their checksum. 4.10 "SSI": registers.
   The flash is read with the plain serial read, 03h, which every chip understands. */
#include <stdint.h>

/* Offsets from XIP_SSI: CTRLR0 0x00, SSIENR 0x08, BAUDR 0x14, SPI_CTRLR0 0xf4. CTRLR0: 32 bits a
   frame, one line, receive after the command. SPI_CTRLR0: command 03h, 8 bits of instruction, 24
   of address. BAUDR 4 divides the system clock, at most 33 MHz of the 50 that 03h allows. */
__asm__(
    ".pushsection .boot, \"ax\"\n"
    ".syntax unified\n"
    ".thumb\n"
    ".global boot_block\n"
    ".type boot_block, %function\n"
    "boot_block:\n"
    "  ldr r0, =0x18000000\n"
    "  movs r1, #0\n"
    "  str r1, [r0, #0x08]\n"
    "  movs r1, #4\n"
    "  str r1, [r0, #0x14]\n"
    "  ldr r1, =0x001f0300\n"
    "  str r1, [r0, #0x00]\n"
    "  movs r1, #0\n"
    "  str r1, [r0, #0x04]\n"
    "  ldr r2, =0x03000218\n"
    "  ldr r1, =0x180000f4\n"
    "  str r2, [r1]\n"
    "  movs r1, #1\n"
    "  str r1, [r0, #0x08]\n"
    "  ldr r0, =__vectors\n"
    "  ldr r1, =0xe000ed08\n"
    "  str r0, [r1]\n"
    "  ldmia r0!, {r1, r2}\n"
    "  msr msp, r1\n"
    "  bx r2\n"
    "  .ltorg\n"
    "  .balign 4\n"
    "  .org boot_block + 252\n"
    "  .word 0\n"
    ".popsection\n");
