/*
 * forget.h - a loop that never came to be is as if it had not been asked for.
 *
 * The loop's files and record go, and the loop that had the name before comes back from the
 * archive.  A supervisor that is killed in between leaves a directory without a fact, which
 * nobody takes for a loop, and the earlier loop whole in the archive.
 */
#ifndef LOOPS_FORGET_H
#define LOOPS_FORGET_H

#include "base/err.h"
#include <stdbool.h>

/* The caller holds the lock of the loop.  `earlier`: another loop had to go for it.  What
 * cannot be done is a warning. */
void forget_loop(int home, const char *name, bool earlier);
/* Takes back, and registers, the loop that was archived last under this name; there is none of
 * that name now. */
int forget_bring_back(int home, const char *name, struct err *err) NODISCARD;

#endif
