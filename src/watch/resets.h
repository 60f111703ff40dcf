/*
 * resets.h - when does a limit pass, in the words of the program that reports it?
 *
 * The reader understands the forms that agents are known to print:
 *
 *   resets 3pm (Europe/Vilnius)          resets Mar 4, 3:30pm (UTC)
 *   Your limit will reset at 7pm (Asia/Tokyo).
 *   try again at 10:50 PM.               try again at Mar 4th, 2026 10:50 PM.
 *   usage limit reached|1755615600       retry after 20s, try again in 2 hours 5 minutes
 *
 * A time without a zone is local.  A time without a day is the next such time, unless it has
 * only just passed: a program that says 3pm at 3:00:20pm does not mean tomorrow.
 */
#ifndef WATCH_RESETS_H
#define WATCH_RESETS_H

#include "base/compiler.h"

/* Returns the moment, or 0 when the text names no plausible one.  Result and `now` are ns of
 * the wall clock. */
int64_t resets_find(const char *text, int64_t now);

#endif
