/* Clocks and pins of the console on STM32F4 and STM32F7, which agree in both.
   RM0090 (STM32F405 and others) and RM0385 (STM32F74x): sections RCC and GPIO. */
#ifndef STM32_GPIO_H
#define STM32_GPIO_H

#include <stdint.h>

#include "registers.h"

#define RCC_CFGR REGISTER(0x40023808u)
#define RCC_AHB1ENR REGISTER(0x40023830u)
#define RCC_APB1ENR REGISTER(0x40023840u)
#define RCC_APB2ENR REGISTER(0x40023844u)

#define APB1_BASE 0x40000000u
#define APB2_BASE 0x40010000u

/* Peripherals lie 1 KB apart, in the order of their bits in the enable register. */
static inline void enable_usart(uint32_t base) {
  if (base >= APB2_BASE) {
    RCC_APB2ENR |= 1u << ((base - APB2_BASE) / 0x400u);
  } else {
    RCC_APB1ENR |= 1u << ((base - APB1_BASE) / 0x400u);
  }
}

/* The frequency of the bus of the peripheral at `base`: RCC_CFGR, fields PPRE1 and PPRE2. */
static inline uint32_t bus_hz(uint32_t base, uint32_t core_hz) {
  const uint32_t prescaler = (RCC_CFGR >> (base >= APB2_BASE ? 13 : 10)) & 7u;
  return prescaler < 4u ? core_hz : core_hz >> (prescaler - 3u);
}

/* Gives pin `number` of `port` (0 is A) its alternate `function`, with a pull-up. */
static inline void set_alternate(uint32_t port, uint32_t number, uint32_t function) {
  const uint32_t base = 0x40020000u + 0x400u * port;
  RCC_AHB1ENR |= 1u << port;
  /* MODER: 2 is alternate function. PUPDR: 1 is pull-up. AFRL and AFRH: 4 bits a pin. */
  REGISTER(base) = (REGISTER(base) & ~(3u << (2u * number))) | (2u << (2u * number));
  REGISTER(base + 0x0cu) =
      (REGISTER(base + 0x0cu) & ~(3u << (2u * number))) | (1u << (2u * number));
  const uint32_t afr = base + 0x20u + 4u * (number / 8u);
  const uint32_t shift = 4u * (number % 8u);
  REGISTER(afr) = (REGISTER(afr) & ~(15u << shift)) | (function << shift);
}

#endif /* STM32_GPIO_H */
