/* Start-up of RISC-V in machine mode: entry, memory, interrupts, and a trap handler that says so.
   RISC-V privileged specification 1.10: 3.1.7 mtvec, 3.1.9 mie, 3.1.15 mcause.
   FE310-G002 manual, chapter 10 "Platform-Level Interrupt Controller", which QEMU's `virt` shares:
   hart 0 in machine mode is context 0. */
#include <stdint.h>

#include "interrupts.h"
#include "static_data.h"
#include "output.h"
#include "peripheral.h"
#include "registers.h"
#include "stack.h"

#define PLIC_PRIORITY 0x0c000000u
#define PLIC_ENABLE 0x0c002000u
#define PLIC_THRESHOLD REGISTER(0x0c200000u)
#define PLIC_CLAIM REGISTER(0x0c200004u)
#define MIE_EXTERNAL (1u << 11)
#define CAUSE_EXTERNAL 0x8000000bu

int main(void);
void enter(void);
void trap(void);

/* The first instruction after reset; other harts, where there are any, sleep. */
__asm__(
    ".pushsection .vectors, \"ax\"\n"
    ".global reset_handler\n"
    ".type reset_handler, @function\n"
    "reset_handler:\n"
    "  csrw mie, zero\n"
    "  csrr t0, mhartid\n"
    "  bnez t0, 1f\n"
    "  la sp, __stack_top\n"
    "  la t0, trap\n"
    "  csrw mtvec, t0\n"
    "  tail enter\n"
    "1: wfi\n"
    "  j 1b\n"
    ".popsection\n");

void interrupt_enable(uint32_t number) {
  REGISTER(PLIC_PRIORITY + 4u * number) = 1;
  PLIC_THRESHOLD = 0;
  REGISTER(PLIC_ENABLE + 4u * (number / 32u)) = 1u << (number % 32u);
  __asm__ volatile("csrs mie, %0" ::"r"(MIE_EXTERNAL));
}

/* At the hart: a PLIC ignores that a source which it holds back has been served. */
void interrupt_disable(uint32_t number) {
  (void)number;
  __asm__ volatile("csrc mie, %0" ::"r"(MIE_EXTERNAL));
}

__attribute__((used)) void enter(void) {
  static_data_init();
  stack_paint();
  (void)main();
  for (;;) {
  }
}

static void report(uint32_t cause) {
  uint32_t at = 0;
  uint32_t value = 0;
  __asm__ volatile("csrr %0, mepc\n\tcsrr %1, mtval" : "=r"(at), "=r"(value));
  put_text("e-[Fault at ");
  put_hex(at, 8);
  put_text(" cause ");
  put_hex(cause, 8);
  put_text(" value ");
  put_hex(value, 8);
  put_line("]");
  for (;;) {
  }
}

/* mtvec holds addresses that are multiples of 4. */
__attribute__((interrupt("machine"), aligned(4))) void trap(void) {
  uint32_t cause = 0;
  __asm__ volatile("csrr %0, mcause" : "=r"(cause));
  if (cause != CAUSE_EXTERNAL) {
    report(cause);
  }
  const uint32_t source = PLIC_CLAIM;
  console_interrupt();
  PLIC_CLAIM = source;
}
