/* The system timer of every Cortex-M. DDI 0403 (Armv7-M), B3.3 "The system timer, SysTick". */
#ifndef SYSTICK_H
#define SYSTICK_H

#include "registers.h"

#define SYST_CSR REGISTER(0xe000e010u)
#define SYST_RVR REGISTER(0xe000e014u)
#define SYST_CVR REGISTER(0xe000e018u)

/* Count processor clocks, interrupt at zero, run. */
#define CSR_RUN 7u
#define SYSTICK_RELOAD 0xffffffu

#endif /* SYSTICK_H */
