/*
 * tickets.h - the lives of a loop over tickets that are swept (scenarios.h).
 */
#ifndef FAULT_TICKETS_H
#define FAULT_TICKETS_H

#include "trial.h"

void tickets_kill(struct trial *t);
void tickets_kill_again(struct trial *t);
void tickets_below(struct trial *t);
void tickets_full(struct trial *t);
void tickets_shots(struct trial *t);
void tickets_error(struct trial *t);
/* What every keeper or job meets, or lasts. */
void tickets_held(struct trial *t);
void tickets_stopped(struct trial *t);

#endif
