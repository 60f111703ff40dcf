/*
 * confirm.h - asking a person before something cannot be undone.
 */
#ifndef CMD_CONFIRM_H
#define CMD_CONFIRM_H

#include <stdbool.h>

/* Is there somebody to ask: a terminal to read from, and one to ask on? */
bool confirm_possible(void);
/* Asks on stderr; only an answer that begins with "y" is a yes. */
bool confirm(const char *question);

#endif
