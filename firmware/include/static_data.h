/* Static data at start-up. */
#ifndef STATIC_DATA_H
#define STATIC_DATA_H

/* Copies initialised data from flash and clears the rest. */
void static_data_init(void);

#endif /* STATIC_DATA_H */
