/* Memory that is there after reset. */
#include "memory.h"

void memory_init(void) {}
