/* Pins of STM32 since F2: ports 1 KB apart, a bit each in one enable register.
   RM0090, section GPIO, "GPIO registers": MODER, OSPEEDR, PUPDR, AFRL, AFRH. */
#ifndef STM32_PINS_H
#define STM32_PINS_H

#include "registers.h"

enum pin_speed { PIN_SPEED_LOW = 0, PIN_SPEED_VERY_HIGH = 3 };

/* Gives pin `number` of `port` (0 is A) its alternate `function`, with a pull-up. */
static inline void stm32_connect(uint32_t port, uint32_t number, uint32_t function,
                                 enum pin_speed speed) {
  const uint32_t base = BOARD_PINS_BASE + 0x400u * port;
  REGISTER(BOARD_PINS_ENABLE) |= 1u << port;
  (void)REGISTER(BOARD_PINS_ENABLE); /* some cycles until the port answers */
  register_set(base + 0x20u + 4u * (number / 8u), 15u << (4u * (number % 8u)),
               function << (4u * (number % 8u)));
  register_set(base + 0x08u, 3u << (2u * number), (uint32_t)speed << (2u * number));
  register_set(base + 0x0cu, 3u << (2u * number), 1u << (2u * number));
  register_set(base, 3u << (2u * number), 2u << (2u * number));
}

#endif /* STM32_PINS_H */
