/*
 * todo.h - the lives of a loop over todo.md that are swept (scenarios.h).
 *
 *   DIR/project   the repository, with a list of two tasks and an edit of the user's
 *   DIR/led       of the worker (tests/agent/led.c), which is $AGENT
 */
#ifndef FAULT_TODO_H
#define FAULT_TODO_H

#include "trial.h"

void todo_kill(struct trial *t);
void todo_kill_again(struct trial *t);
void todo_below(struct trial *t);
void todo_error(struct trial *t);
/* What every keeper or job meets, or lasts. */
void todo_held(struct trial *t);
void todo_stopped(struct trial *t);

#endif
