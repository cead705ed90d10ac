/* Memory that needs a driver before it can be read. */
#ifndef MEMORY_H
#define MEMORY_H

/* Makes it readable; called at the final clock, before any model. */
void memory_init(void);

#endif /* MEMORY_H */
