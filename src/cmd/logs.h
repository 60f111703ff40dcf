/*
 * logs.h - following what the agents of a loop write.
 */
#ifndef CMD_LOGS_H
#define CMD_LOGS_H

#include "cmd/loops.h"

/* Prints the last lines that are there (0: all), then what comes, through all iterations,
 * until the loop is over.  The view is opened anew as often as needed. */
int logs_follow(struct loop_view *v, int64_t lines, struct err *err) NODISCARD;

#endif
