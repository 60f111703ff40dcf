/*
 * run.h - the lives of `ralph run` that are swept (scenarios.h).
 *
 * With t->command the prompt comes from a command (--prompt-command); all else is the same.
 */
#ifndef FAULT_RUN_H
#define FAULT_RUN_H

#include "trial.h"

void run_kill(struct trial *t);
void run_kill_keeper(struct trial *t);
void run_error(struct trial *t);
void run_lasting(struct trial *t);
void run_error_keeper(struct trial *t);
/* What every keeper or job meets, or lasts. */
void run_held(struct trial *t);
void run_stopped(struct trial *t);

/* What is told to a loop from outside, and a name that was used. */
void run_control(struct trial *t);
void run_resume(struct trial *t);
void run_stop(struct trial *t);
void run_pause(struct trial *t);
void run_archive(struct trial *t);

#endif
