/* The inputs of the chosen model. */
#ifndef INPUTS_H
#define INPUTS_H

#include "inference.h"

/* How the bytes of `db` become inputs of `model`. */
enum input_form input_form_of(const struct model *model);
/* `db load N`, `db HEX`, `db print`. */
void command_db(struct session *session, char *arguments);
/* `put OFFSET HEX`: bytes of the inputs, again as often as wanted, but leaving no gap. */
void command_put(struct session *session, const char *arguments);
/* Whether all inputs are there; says so where they are not. */
int inputs_loaded(const struct session *session);
/* The checksum of the inputs as they stand in memory. */
void command_crc(const struct session *session);

#endif /* INPUTS_H */
