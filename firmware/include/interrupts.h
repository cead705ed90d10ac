/* Interrupts of the core.
   DDI 0403 (Armv7-M), B5.2 CPS and WFI; RISC-V privileged specification, 3.1.6 mstatus, 3.3.3 WFI. */
#ifndef INTERRUPTS_H
#define INTERRUPTS_H

#include <stdint.h>

/* Lets through the interrupt of a peripheral, by its number at the interrupt controller. */
void interrupt_enable(uint32_t number);
/* Holds it back; it stays pending. */
void interrupt_disable(uint32_t number);

#if defined(__riscv)

static inline void interrupts_off(void) { __asm__ volatile("csrci mstatus, 8" ::: "memory"); }
static inline void interrupts_on(void) { __asm__ volatile("csrsi mstatus, 8" ::: "memory"); }

#else

static inline void interrupts_off(void) { __asm__ volatile("cpsid i" ::: "memory"); }
static inline void interrupts_on(void) { __asm__ volatile("cpsie i\n\tisb" ::: "memory"); }

#endif

/* Sleeps until an interrupt is pending, also one that is off. */
static inline void wait_for_interrupt(void) { __asm__ volatile("wfi" ::: "memory"); }

#endif /* INTERRUPTS_H */
