/* Start-up of Cortex-M: vectors, memory, FPU, caches, and a fault handler that says so.
   DDI 0403 (Armv7-M): B1.5 exception model, B3.2 system control registers. */
#include <stdint.h>

#include "output.h"
#include "registers.h"
#include "stack.h"

/* From the linker script. */
extern uint32_t __data_load[];
extern uint32_t __data_start[];
extern uint32_t __data_end[];
extern uint32_t __bss_start[];
extern uint32_t __bss_end[];
extern uint32_t __stack_top[];

#define CPUID REGISTER(0xe000ed00u)
#define CPUID_CORTEX_M7 0xc27u
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

typedef void (*handler)(void);

struct vectors {
  uint32_t *stack;
  handler handlers[15];
};

/* Counters that use SysTick define this; nothing else enables it. */
__attribute__((weak)) void systick_handler(void) {}

extern const struct vectors vector_table;

__attribute__((section(".vectors"), used)) const struct vectors vector_table = {
    __stack_top,
    {
        reset_handler, fault_handler, fault_handler, fault_handler, fault_handler,
        fault_handler, fault_handler, fault_handler, fault_handler, fault_handler,
        fault_handler, fault_handler, fault_handler, fault_handler, systick_handler,
    },
};

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

void reset_handler(void) {
  VTOR = (uint32_t)(uintptr_t)&vector_table;
#if defined(__ARM_FP)
  CPACR |= CPACR_FPU;
#endif
  barrier();
  enable_caches();
  const uint32_t *from = __data_load;
  for (uint32_t *to = __data_start; to < __data_end; ++to) {
    *to = *from++;
  }
  for (uint32_t *word = __bss_start; word < __bss_end; ++word) {
    *word = 0;
  }
  stack_paint();
  (void)main();
  for (;;) {
  }
}

/* Hands the frame that the exception pushed to the report. */
__attribute__((naked)) void fault_handler(void) {
  __asm__ volatile("mrs r0, msp\n\tb fault_report");
}

/* The frame holds r0 to r3, r12, lr, pc and xPSR. */
__attribute__((used)) void fault_report(const uint32_t *frame) {
  put_text("e-[Fault at ");
  put_hex(frame[6], 8);
  put_text(" from ");
  put_hex(frame[5], 8);
  put_text(" CFSR ");
  put_hex(CFSR, 8);
  put_line("]");
  for (;;) {
  }
}
