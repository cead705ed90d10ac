/* Brings static data into the state that C promises. */
#include "static_data.h"

#include <stdint.h>

/* From the linker script. */
extern uint32_t __data_load[];
extern uint32_t __data_start[];
extern uint32_t __data_end[];
extern uint32_t __bss_start[];
extern uint32_t __bss_end[];

void static_data_init(void) {
  const uint32_t *from = __data_load;
  for (uint32_t *to = __data_start; to < __data_end; ++to) {
    *to = *from++;
  }
  for (uint32_t *word = __bss_start; word < __bss_end; ++word) {
    *word = 0;
  }
}
