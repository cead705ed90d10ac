/* Start-up of Cortex-M: vectors, memory, FPU, caches, and a fault handler that says so.
   DDI 0403 (Armv7-M): B1.5 exception model, B3.2 system control registers; DDI 0419 (Armv6-M) and
   DDI 0553 (Armv8-M) where these have less or more. */
#include <stdint.h>

#include "interrupts.h"
#include "static_data.h"
#include "output.h"
#include "peripheral.h"
#include "registers.h"
#include "stack.h"

#define CPUID REGISTER(0xe000ed00u)
#define CPUID_CORTEX_M7 0xc27u
#define NVIC_ISER 0xe000e100u
#define NVIC_ICER 0xe000e180u
#define VTOR REGISTER(0xe000ed08u)
#define CCR REGISTER(0xe000ed14u)
#define CCR_DC (1u << 16)
#define CCR_IC (1u << 17)
#define CFSR REGISTER(0xe000ed28u)
#define CCSIDR REGISTER(0xe000ed80u)
#define CSSELR REGISTER(0xe000ed84u)
#define CPACR REGISTER(0xe000ed88u)
#define CPACR_FPU (15u << 20)
#define ICIALLU REGISTER(0xe000ef50u)
#define DCISW REGISTER(0xe000ef60u)

int main(void);
void reset_handler(void);
void fault_handler(void);
void fault_report(const uint32_t *frame);
void systick_handler(void);

/* Counters that use SysTick define this; nothing else enables it. */
__attribute__((weak)) void systick_handler(void) {}

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

/* The stack, reset, thirteen faults and system calls of which none is expected, SysTick, and the
   peripherals' interrupts up to the console's. */
__asm__(
    ".pushsection .vectors, \"a\"\n"
    ".balign 4\n"
    ".global vector_table\n"
    "vector_table:\n"
    ".word __stack_top\n"
    ".word reset_handler\n"
    ".rept 13\n"
    ".word fault_handler\n"
    ".endr\n"
    ".word systick_handler\n"
    ".rept " TEXT(BOARD_CONSOLE_INTERRUPT) "\n"
    ".word fault_handler\n"
    ".endr\n"
    ".word console_interrupt\n"
    ".popsection\n");

void interrupt_enable(uint32_t number) {
  REGISTER(NVIC_ISER + 4u * (number / 32u)) = 1u << (number % 32u);
}

void interrupt_disable(uint32_t number) {
  REGISTER(NVIC_ICER + 4u * (number / 32u)) = 1u << (number % 32u);
}

#if defined(__ARM_ARCH_6M__)

/* The vectors lie where the core looks after reset, or where a boot block has set VTOR to. */
static void core_init(void) {}

#else

extern const uint32_t vector_table[];

static void barrier(void) { __asm__ volatile("dsb\n\tisb" ::: "memory"); }

/* Invalidates and enables both caches of Cortex-M7. DDI 0489, "Initializing and enabling the
   L1 cache": by set and way, from the sizes in CCSIDR. */
static void enable_caches(void) {
  if (((CPUID >> 4) & 0xfffu) != CPUID_CORTEX_M7) {
    return;
  }
  ICIALLU = 0;
  CSSELR = 0;
  barrier();
  const uint32_t sets = ((CCSIDR >> 13) & 0x7fffu) + 1u;
  const uint32_t ways = ((CCSIDR >> 3) & 0x3ffu) + 1u;
  for (uint32_t set = 0; set < sets; ++set) {
    for (uint32_t way = 0; way < ways; ++way) {
      DCISW = (way << 30) | (set << 5);
    }
  }
  barrier();
  CCR |= CCR_IC | CCR_DC;
  barrier();
}

static void core_init(void) {
  VTOR = (uint32_t)(uintptr_t)vector_table;
#if defined(__ARM_FP) || defined(__ARM_FEATURE_MVE)
  CPACR |= CPACR_FPU;
#endif
#if __ARM_ARCH >= 8
  /* A stack that overflows faults at once. */
  __asm__ volatile("msr msplim, %0" ::"r"(stack_limit()));
#endif
  barrier();
  enable_caches();
}

#endif

void reset_handler(void) {
  core_init();
  static_data_init();
  stack_paint();
  (void)main();
  for (;;) {
  }
}

/* Hands the frame that the exception pushed to the report; a plain branch may not reach so far. */
__attribute__((naked)) void fault_handler(void) {
  __asm__ volatile(
      "mrs r0, msp\n\t"
      "ldr r1, =fault_report\n\t"
      "bx r1\n\t"
      ".ltorg");
}

/* The frame holds r0 to r3, r12, lr, pc and xPSR. */
__attribute__((used)) void fault_report(const uint32_t *frame) {
  put_text("e-[Fault at ");
  put_hex(frame[6], 8);
  put_text(" from ");
  put_hex(frame[5], 8);
#if !defined(__ARM_ARCH_6M__)
  put_text(" CFSR ");
  put_hex(CFSR, 8);
#endif
  put_line("]");
  for (;;) {
  }
}
